import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import type { Findings, Problem } from './findings.ts';
import { type TableName, tableNames } from './tables.ts';

/** Tables that keep rows of a deleted account: see `accounts/delete-account.ts`. Sign-in attempts belong to no account. */
const retainedTables: readonly TableName[] = [
  ...([
    'accounts',
    'plans',
    'price_changes',
    'plan_changes',
    'revenue_lines',
    'plan_revenue_lines',
    'released_subdomains',
    'sign_in_attempts',
  ] as const),
];

/** Tables whose rows are deleted in the transaction that deletes the account. */
const tablesEmptiedAtOnce: readonly TableName[] = [
  ...(['sessions', 'one_time_links', 'oauth_codes', 'second_factors', 'recovery_codes', 'passkeys'] as const),
  ...(['passkey_challenges', 'removals', 'domains', 'outbox', 'customer_notes'] as const),
  ...(['scheduled_plan_changes', 'customers_at_limit', 'template_sites', 'template_push_sites'] as const),
  ...(['impersonations', 'agency_access'] as const),
];

/** Returns the column with the account whose deletion deletes the table's rows. */
const accountColumn = (table: TableName) =>
  sql.ref(customerTables.includes(table) ? 'its.customer_id' : 'its.account_id');

/** Tables whose `account_id` is the seller, but whose rows are deleted with the customer. */
const customerTables: readonly TableName[] = ['customer_notes', 'scheduled_plan_changes', 'customers_at_limit'];

const PURGE_TIMEOUT_MS = 24 * 60 * 60 * 1000;

/**
 * Selects the ids of deleted accounts that are not purged completely yet. Their users are deleted last. Until then, their
 * remaining rows need not be consistent.
 */
export const beingPurged = sql`
  select id from accounts where deleted_at is not null
    and exists (select 1 from users where users.account_id = accounts.id)`;

/** Checks that deleted accounts have no rows left. Returns notes about accounts that are still being purged. */
export async function checkDeleted(trx: Trx, findings: Findings): Promise<Problem[]> {
  for (const table of tableNames.filter((name) => !retainedTables.includes(name))) {
    const unlessPurging = tablesEmptiedAtOnce.includes(table) ? sql`` : sql`and id not in (${beingPurged})`;
    const { rows } = await sql<{ id: number }>`
      select id from accounts where deleted_at is not null
        and exists (select 1 from ${sql.table(table)} as its where ${accountColumn(table)} = accounts.id) ${unlessPurging}
      order by id limit 1000`.execute(trx);
    for (const { id } of rows) findings.add('tenants', `account_${id}: it was deleted, but has rows in ${table}.`);
  }
  const { rows: unfinished } = await sql<{ id: number; since: number }>`
    select id, deleted_at as since from accounts where id in (${beingPurged}) order by id`.execute(trx);
  const notes: Problem[] = [];
  for (const { id, since } of unfinished) {
    if (since < Date.now() - PURGE_TIMEOUT_MS) {
      findings.add(
        'tenants',
        `account_${id}: it was deleted more than a day ago, but some of its data is left. Check that the service is running.`,
      );
    } else {
      const message = `account_${id} is deleted; the service deletes the rest of its data within an hour.`;
      notes.push({ check: 'tenants', message });
    }
  }
  return notes;
}
