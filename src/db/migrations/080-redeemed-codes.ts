import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** Adds the key that a code was redeemed for. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  await sql.raw(`alter table oauth_codes add column key_id ${int}`).execute(db);
}
