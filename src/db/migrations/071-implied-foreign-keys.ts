import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * Drops foreign keys to `accounts` that others imply: the user of a page or a link is one of the account's, and the plan of
 * a customer is one of its parent's. PostgreSQL looks up each key for each row. SQLite, which cannot drop them, does so in
 * no time.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  if (dialect === 'sqlite') return;
  for (const statement of [
    // `accounts` comes first, since changes also lock accounts before pages.
    'alter table accounts drop constraint accounts_parent_id_fkey',
    'alter table pages drop constraint pages_account_id_fkey',
    'alter table one_time_links drop constraint one_time_links_account_id_fkey',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
