import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * How long each API key was issued for. A rotation shortens `expires_at`, and a second one could not tell any more. Of keys
 * that are being rotated now nobody noted it: theirs is what is left of them, as it was until now.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const statement of [
    `alter table api_keys add column lifetime ${dialect === 'sqlite' ? 'integer' : 'bigint'}`,
    'update api_keys set lifetime = expires_at - created_at where expires_at is not null',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
