import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** Adds whether a message is one of many that were queued at once. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  await sql.raw(`alter table outbox add column is_bulk ${int} not null default 0`).execute(db);
}
