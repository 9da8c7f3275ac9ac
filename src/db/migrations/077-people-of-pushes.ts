import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** Adds who passes the changes of a template on, or undoes that: it stops if they may not any more. Of pushes that exist it is not known. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  await sql.raw(`alter table template_pushes add column user_id ${int}`).execute(db);
}
