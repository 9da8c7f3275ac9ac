import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** Adds the columns for the service's own checks of domains. Verified domains are first checked within a day. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  for (const statement of [
    `alter table domains add column next_check_at ${int}`,
    `alter table domains add column failed_checks ${int} not null default 0`,
    `alter table domains add column leads_here ${int}`,
    `update domains set next_check_at = ${Date.now()} + id * 7919 % 86400000 where verified_at is not null`,
    'create index domains_next_check on domains (next_check_at) where next_check_at is not null',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
