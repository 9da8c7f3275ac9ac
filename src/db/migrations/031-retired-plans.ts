import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** Lets a seller retire a plan: its customers stay on it, and no other customer is put on it. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  await sql.raw(`alter table plans add column retired_at ${int}`).execute(db);
}
