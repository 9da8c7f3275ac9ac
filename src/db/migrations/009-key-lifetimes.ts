import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * Adds the lifetime of each API key. A rotation shortens `expires_at`, so the lifetime would be lost for a second rotation.
 * For keys that are being rotated now it was not recorded: they get the time that they have left, as before.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const statement of [
    `alter table api_keys add column lifetime ${dialect === 'sqlite' ? 'integer' : 'bigint'}`,
    'update api_keys set lifetime = expires_at - created_at where expires_at is not null',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
