import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * Adds when a user of the account first signed in, and indexes for each order of the list of customers. The indexes have
 * every column that the list is filtered by, so that the rows of other customers are not read.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  const filtered = 'status, plan_id, signed_in_at, deleted_at';
  const isThere = 'where coalesce(deleted_at, 0) = 0';
  for (const statement of [
    `alter table accounts add column signed_in_at ${int}`,
    fillFromTraces,
    'drop index accounts_customers',
    'drop index accounts_customers_name',
    `create index accounts_customers on accounts (parent_id, created_at, id, ${filtered}) ${isThere}`,
    `create index accounts_customers_name on accounts (parent_id, name_key, id, created_at, ${filtered}) ${isThere}`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** The traces of a sign-in. Sessions and events are deleted after some time. */
const fillFromTraces = `
  update accounts set signed_in_at = coalesce(
    (select min(address_proved_at) from users where users.account_id = accounts.id),
    (select at from audit_log where audit_log.account_id = accounts.id and user_id is not null order by id limit 1),
    (select min(created_at) from sessions where sessions.account_id = accounts.id),
    (select min(created_at) from passkeys where passkeys.account_id = accounts.id)
  )`;
