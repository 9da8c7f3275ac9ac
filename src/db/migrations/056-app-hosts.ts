import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** Lets one of an account's domains serve the admin app of its customers, and binds sessions to the host that they began at. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  await sql.raw(`alter table domains add column is_app ${int} not null default 0`).execute(db);
  await sql.raw('alter table sessions add column app_host text').execute(db);
}
