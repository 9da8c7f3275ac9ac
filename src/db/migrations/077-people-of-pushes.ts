import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * Adds the user who pushes a template's changes, or undoes the push, which stops if that user loses the permission. For
 * existing pushes, it is unknown.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  await sql.raw(`alter table template_pushes add column user_id ${int}`).execute(db);
}
