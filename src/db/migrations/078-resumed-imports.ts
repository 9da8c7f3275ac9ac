import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * Adds the user who last resumed an import, which stops if that user loses the permission. For existing imports, it is
 * unknown.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  await sql.raw(`alter table customer_imports add column resumed_by ${int}`).execute(db);
}
