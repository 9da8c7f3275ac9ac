import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** Adds the key with which a program issued another key. For existing keys, it is unknown. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  await sql.raw(`alter table api_keys add column issued_by ${int}`).execute(db);
}
