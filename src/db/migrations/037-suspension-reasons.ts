import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * Adds the reason for which a customer is suspended, and the time at which a deleted customer is deleted for good. The
 * indexes for lists of customers leave out deleted ones.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  const filtered = 'status, plan_id, signed_in_at, deleted_at, deletes_at';
  const isThere = 'where coalesce(deleted_at, deletes_at, 0) = 0';
  const subdomain = dialect === 'sqlite' ? 'subdomain' : 'subdomain collate "C"';
  for (const statement of [
    'alter table accounts add column suspension_reason text',
    `alter table accounts add column deletes_at ${int}`,
    "alter table accounts add column status_before_deletion text check (status_before_deletion in ('active', 'suspended'))",
    'create index accounts_deletes_at on accounts (parent_id, deletes_at) where deletes_at is not null',
    'drop index accounts_customers',
    'drop index accounts_customers_name',
    'drop index accounts_customers_subdomain',
    `create index accounts_customers on accounts (parent_id, created_at, id, ${filtered}) ${isThere}`,
    `create index accounts_customers_name on accounts (parent_id, name_key, id, created_at, ${filtered}) ${isThere}`,
    `create index accounts_customers_subdomain on accounts (parent_id, ${subdomain}) ${isThere}`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}
