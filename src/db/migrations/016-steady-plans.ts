import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * Keeps PostgreSQL from reading a whole account, or all siblings, where an index would find one page. If it expects equally
 * few rows from several indexes, it takes the smallest. What it expects depends on when it last analyzed the tables.
 *
 * The index of positions only serves queries that say `position <> 0`, which is true of all positions (see
 * `usesPositionIndex`). Other queries cannot use it instead of the index of urlnames. With the statistics set here,
 * PostgreSQL never assumes that an account has only one row, however few all accounts had when it counted. Entries of people
 * in the audit log can be requested in an order that no other index has.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const statements = [
    'drop index audit_log_people',
    'create index audit_log_people on audit_log (account_id, api_key_id, id) where api_key_id is null',
  ];
  if (dialect === 'postgres') {
    statements.push(
      'drop index pages_position',
      'create unique index pages_position on pages (account_id, (coalesce(parent_id, 0)), position) where position <> 0',
      'alter table pages alter column account_id set (n_distinct = 100)',
      'alter table users alter column account_id set (n_distinct = 100)',
      // Few names occur twice within an account, however often they occur in all accounts.
      'alter table pages alter column name set (n_distinct = -1)',
      'alter table pages alter column urlname set (n_distinct = -1)',
    );
  }
  for (const statement of statements) await sql.raw(statement).execute(db);
}
