import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * Keeps PostgreSQL from reading a whole account, or all siblings, where an index would find one page. Of several indexes it
 * takes the smallest if it expects as few rows from it, and what it expects depends on when it last looked at its tables.
 *
 * The index of positions is only for queries that say `position <> 0`, as all positions are (see `usesPositionIndex`): the others
 * cannot take it for that of urlnames. No account seems to have but one row, however few all had when they were counted.
 * What people did can be asked for in an order that no other index has.
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
      // Seldom there twice within an account, however often in all.
      'alter table pages alter column name set (n_distinct = -1)',
      'alter table pages alter column urlname set (n_distinct = -1)',
    );
  }
  for (const statement of statements) await sql.raw(statement).execute(db);
}
