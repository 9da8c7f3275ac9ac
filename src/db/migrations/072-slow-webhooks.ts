import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** Adds whether the receiver of a webhook answers slowly. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  await sql.raw(`alter table webhooks add column is_slow ${int} not null default 0`).execute(db);
}
