import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** Adds the customers that use as much as their plan allows, by the service's last count. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  for (const statement of [
    `create table customers_at_limit (
      customer_id ${int} not null primary key references accounts (id),
      account_id ${int} not null references accounts (id)
    ${dialect === 'sqlite' ? ') strict' : ')'}`,
    'create index customers_at_limit_account on customers_at_limit (account_id, customer_id)',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
