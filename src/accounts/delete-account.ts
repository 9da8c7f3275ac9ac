import { sql } from 'kysely';
import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import { dialectOf, type Trx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import type { KeptMessage } from '../mail/file-transport.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';
import { lockWholeAccount } from '../tenancy/lock-account.ts';
import { nextVersion } from '../tenancy/next-version.ts';
import { formatAccountId, getAccount } from './account.ts';
import { suspendForDeletion } from './change-customers.ts';
import { refuseWithCustomers } from './refuse-with-customers.ts';

/** The tables whose rows give access, route visitors or cause mail. They are small, and emptied at once. */
const accessTables: readonly (keyof Schema)[] = [
  ...(['sessions', 'one_time_links', 'oauth_codes', 'second_factors', 'recovery_codes', 'passkeys'] as const),
  ...(['passkey_challenges', 'removals', 'domains', 'brands', 'outbox', 'search_accounts'] as const),
  ...(['template_sites', 'template_push_sites'] as const),
  ...(['impersonations', 'agency_access', 'account_archives'] as const),
];

interface DeleteAccountInput {
  /** True if the subdomain becomes free at once, rather than after 90 days. */
  releaseSubdomain: boolean;
}

/**
 * Deletes an account for good. Once the transaction is committed, nobody has access to anything of the account. Its pages,
 * images and log may be large, so `purgeAccount` deletes them afterwards: otherwise other transactions would have to wait. A
 * row without a name stays for the seller's ledger, which ends with the customer's suspension. Returns the account's
 * messages: the caller removes those stored as files after the commit.
 * @throws AppError `not_found`; `conflict` while it has customers.
 */
export async function deleteAccount(
  trx: Trx,
  accountId: number,
  { releaseSubdomain }: DeleteAccountInput,
  by: Actor,
): Promise<KeptMessage[]> {
  const { parent_id, subdomain, name } = await getAccount(trx, accountId);
  // The seller's lock comes first, as in every change of a customer.
  if (parent_id !== null) await raiseCustomersVersion(trx, parent_id);
  await lockAccountAndKeys(trx, accountId);
  if (parent_id !== null) await suspendForDeletion(trx, parent_id, accountId, by);
  await anonymizeAccount(trx, accountId);
  await refuseWithCustomers(trx, accountId);
  const messages = await trx
    .selectFrom('outbox')
    .select(['id', 'message_id'])
    .where('account_id', '=', accountId)
    .execute();
  for (const table of accessTables) {
    await sql`delete from ${sql.table(table)} where account_id = ${accountId}`.execute(trx);
  }
  if (parent_id !== null) await deleteSellersRows(trx, parent_id, accountId);
  await disableUsersAndKeys(trx, accountId);
  await releaseOrReserveSubdomain(trx, accountId, subdomain, releaseSubdomain);
  // The account's own log is deleted as well, so only the seller's log can record the deletion.
  if (parent_id !== null) {
    const event = { action: 'customer.deleted', subject: `customer_${accountId}`, details: { name } };
    await recordAuditEvent(trx, parent_id, by, event);
  }
  return messages;
}

/**
 * Locks the account and its keys. Waits for transactions that add rows to the account, and keeps new ones from starting: a
 * row that refers to another row locks it. The account is locked first, as everywhere (see `lockAccount`), then its keys in
 * the order in which their uses are recorded.
 */
export async function lockAccountAndKeys(trx: Trx, accountId: number): Promise<void> {
  await lockWholeAccount(trx, accountId);
  if (dialectOf(trx) === 'sqlite') return;
  await sql`select 1 from api_keys where account_id = ${accountId} order by id for update`.execute(trx);
}

/**
 * Deletes the rows that the seller has about the customer: notes, scheduled plan changes, and the mark of a customer at its
 * limit.
 */
async function deleteSellersRows(trx: Trx, accountId: number, customerId: number): Promise<void> {
  for (const table of ['customer_notes', 'scheduled_plan_changes', 'customers_at_limit'] as const) {
    await trx.deleteFrom(table).where('account_id', '=', accountId).where('customer_id', '=', customerId).execute();
  }
}

/**
 * Removes the account's users and revokes its keys. Their rows stay until `purgeAccount` has deleted the rows that refer to
 * them: pages and the log refer to users, and stored responses to keys.
 */
async function disableUsersAndKeys(trx: Trx, accountId: number): Promise<void> {
  const now = Date.now();
  await trx
    .updateTable('users')
    .set({ removed_at: now, password_hash: null, email_key: sql`'removed ' || id` })
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .execute();
  await trx
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .execute();
}

async function anonymizeAccount(trx: Trx, accountId: number): Promise<void> {
  const now = Date.now();
  await trx
    .updateTable('accounts')
    .set({
      name: 'Deleted account',
      name_key: '',
      // No host name has an underscore, so this subdomain cannot be visited.
      subdomain: formatAccountId(accountId),
      status: 'suspended',
      deleted_at: now,
      suspension_reason: null,
      deletes_at: null,
      status_before_deletion: null,
      trial_ends_on: null,
      content_version: nextVersion('content_version', now),
      content_changed_at: now,
      page_bytes: 0,
    })
    .where('id', '=', accountId)
    .execute();
}

async function releaseOrReserveSubdomain(
  trx: Trx,
  accountId: number,
  subdomain: string,
  release: boolean,
): Promise<void> {
  if (release) {
    await trx.deleteFrom('released_subdomains').where('account_id', '=', accountId).execute();
    return;
  }
  await trx.deleteFrom('released_subdomains').where('subdomain', '=', subdomain).execute();
  await trx
    .insertInto('released_subdomains')
    .values({ subdomain, account_id: accountId, released_at: Date.now() })
    .execute();
}
