import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** Adds which key a program has issued another one with. Of keys that exist it is not known. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  await sql.raw(`alter table api_keys add column issued_by ${int}`).execute(db);
}
