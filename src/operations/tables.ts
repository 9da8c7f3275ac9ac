import { sql } from 'kysely';
import type { Dialect, Trx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

/**
 * The tables that a backup contains. The search index can be rebuilt from the pages, and the timeline belongs to the
 * server.
 */
export type TableName = Exclude<keyof Schema, 'migrations' | 'database_timeline' | DerivedTable>;
type DerivedTable = 'search_accounts' | 'search_queue' | 'search_pages' | 'search_vocabulary';

interface Table {
  /** The columns by which rows are ordered. */
  key: readonly string[];
  /** Columns of unlimited length. Rows with such columns are read in smaller batches. */
  long: readonly string[];
}

/**
 * Every table that a backup contains, ordered so that rows come after the rows they refer to. `accounts` and `plans` refer
 * to each other. A table that a later version drops stays here, for the backups that have it.
 */
export const tables: Readonly<Record<TableName, Table>> = {
  accounts: { key: ['id'], long: [] },
  plans: { key: ['id'], long: [] },
  users: { key: ['id'], long: [] },
  api_keys: { key: ['id'], long: [] },
  plan_changes: { key: ['id'], long: [] },
  revenue_lines: { key: ['line_id'], long: [] },
  customer_notes: { key: ['id'], long: ['text'] },
  customers_at_limit: { key: ['customer_id'], long: [] },
  price_changes: { key: ['id'], long: [] },
  scheduled_plan_changes: { key: ['id'], long: [] },
  customer_imports: { key: ['id'], long: [] },
  customer_import_parts: { key: ['account_id', 'import_id', 'part'], long: ['lines', 'results'] },
  plan_revenue_lines: { key: ['line_id', 'plan_id'], long: [] },
  pages: { key: ['id'], long: ['body', 'description'] },
  outbox: { key: ['id'], long: ['text', 'html'] },
  idempotency: { key: ['account_id', 'api_key_id', 'key'], long: ['answer'] },
  released_subdomains: { key: ['subdomain'], long: [] },
  domains: { key: ['id'], long: [] },
  brands: { key: ['account_id'], long: [] },
  templates: { key: ['id'], long: ['description'] },
  template_sites: { key: ['account_id'], long: [] },
  template_pages: { key: ['account_id', 'page_id'], long: [] },
  template_pushes: { key: ['id'], long: [] },
  template_push_sites: { key: ['account_id', 'push_id'], long: ['result'] },
  mail_words: { key: ['account_id', 'kind'], long: ['text'] },
  brand_images: { key: ['account_id', 'name'], long: ['png'] },
  webhooks: { key: ['id'], long: [] },
  webhook_deliveries: { key: ['id'], long: ['response'] },
  account_archives: { key: ['id'], long: [] },
  sessions: { key: ['id'], long: [] },
  impersonations: { key: ['id'], long: ['reason'] },
  agency_access: { key: ['account_id'], long: [] },
  one_time_links: { key: ['id'], long: [] },
  oauth_codes: { key: ['id'], long: [] },
  second_factors: { key: ['account_id', 'user_id'], long: [] },
  recovery_codes: { key: ['account_id', 'user_id', 'hash'], long: [] },
  passkeys: { key: ['id'], long: [] },
  passkey_challenges: { key: ['hash'], long: [] },
  sign_in_attempts: { key: ['key'], long: [] },
  audit_log: { key: ['id'], long: ['details'] },
  revisions: { key: ['id'], long: ['body', 'description'] },
  drafts: { key: ['account_id', 'page_id', 'user_id'], long: ['fields'] },
  redirects: { key: ['id'], long: ['path'] },
  undos: { key: ['id'], long: ['payload'] },
  removed_pages: { key: ['account_id', 'id'], long: ['body', 'description'] },
  media: { key: ['id'], long: [] },
  page_images: { key: ['account_id', 'page_id', 'draft_by', 'hash'], long: [] },
  removals: { key: ['id'], long: ['payload'] },
};

export const tableNames = Object.keys(tables) as TableName[];

/** Returns the tables that the database has, in the order of `tables`. */
export async function existingTables(trx: Trx, dialect: Dialect): Promise<TableName[]> {
  const { rows } = await (dialect === 'sqlite'
    ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
    : sql<{
        name: string;
      }>`select table_name as name from information_schema.tables where table_schema = current_schema()`
  ).execute(trx);
  return tableNames.filter((table) => rows.some(({ name }) => name === table));
}

/** Returns the highest id that each table has ever assigned, even if its row is deleted. */
export async function lastIds(
  trx: Trx,
  dialect: Dialect,
  names: readonly TableName[],
): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const name of names.filter(hasIds)) {
    const { rows } = await (dialect === 'sqlite'
      ? sql<{ last: number | null }>`select seq as last from sqlite_sequence where name = ${name}`
      : sql<{
          last: number | null;
        }>`select pg_sequence_last_value(pg_get_serial_sequence(${name}, 'id')::regclass) as last`
    ).execute(trx);
    found[name] = rows[0]?.last ?? 0;
  }
  return found;
}

/** Returns true if the database assigns the ids of the table's rows. */
export function hasIds(name: TableName): boolean {
  return tables[name].key[0] === 'id';
}
