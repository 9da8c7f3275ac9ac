import { sql } from 'kysely';
import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import { dialectOf, type Trx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import type { KeptMessage } from '../mail/file-transport.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';
import { lockWholeAccount } from '../tenancy/lock-account.ts';
import { nextVersion } from '../tenancy/next-version.ts';
import { getAccount, accountId as idInWords } from './account.ts';
import { suspendForDeletion } from './change-customers.ts';
import { refuseWithCustomers } from './refuse-with-customers.ts';

/** Tables whose rows give access, route visitors or cause mail. They are small, and emptied at once. */
const doorsOfAccount: readonly (keyof Schema)[] = [
  ...(['sessions', 'one_time_links', 'oauth_codes', 'second_factors', 'recovery_codes', 'passkeys'] as const),
  ...(['passkey_challenges', 'removals', 'domains', 'brands', 'outbox', 'search_accounts'] as const),
  ...(['template_sites', 'template_push_sites'] as const),
  ...(['impersonations', 'agency_access', 'account_archives'] as const),
];

interface DeleteAccountInput {
  /** Whether the subdomain is free at once, rather than after 90 days. */
  releaseSubdomain: boolean;
}

/**
 * Deletes an account for good: once the transaction is committed, nobody gets to anything of it any more. Its pages, images and
 * log, of which there may be any number, are deleted afterwards (`purgeAccount`), since other transactions would have to wait
 * for all of them. What stays is a row without a name, for the seller's ledger, which ends with the customer's suspension.
 * Returns its messages: some of them may be kept as files, which are to be removed after the commit.
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
  await takeNames(trx, accountId);
  await refuseWithCustomers(trx, accountId);
  const messages = await trx
    .selectFrom('outbox')
    .select(['id', 'message_id'])
    .where('account_id', '=', accountId)
    .execute();
  for (const table of doorsOfAccount) {
    await sql`delete from ${sql.table(table)} where account_id = ${accountId}`.execute(trx);
  }
  if (parent_id !== null) await deleteAboutCustomer(trx, parent_id, accountId);
  await disablePeople(trx, accountId);
  await giveUp(trx, accountId, subdomain, releaseSubdomain);
  // The account's own log is deleted with it, so only a seller's log can tell.
  if (parent_id !== null) {
    const event = { action: 'customer.deleted', subject: `customer_${accountId}`, details: { name } };
    await recordAuditEvent(trx, parent_id, by, event);
  }
  return messages;
}

/**
 * Waits for transactions that are adding something to the account, and keeps others from beginning: a row that refers to
 * another one locks it.
 * The account first, as everywhere (see `lockAccount`); then its keys, in the order in which their uses are written down.
 */
export async function lockAccountAndKeys(trx: Trx, accountId: number): Promise<void> {
  await lockWholeAccount(trx, accountId);
  if (dialectOf(trx) === 'sqlite') return;
  await sql`select 1 from api_keys where account_id = ${accountId} order by id for update`.execute(trx);
}

/** Deletes the notes that its seller has on the customer, and the changes that it has scheduled. */
async function deleteAboutCustomer(trx: Trx, accountId: number, customerId: number): Promise<void> {
  for (const table of ['customer_notes', 'scheduled_plan_changes', 'customers_at_limit'] as const) {
    await trx.deleteFrom(table).where('account_id', '=', accountId).where('customer_id', '=', customerId).execute();
  }
}

/** Pages and the log refer to users, and stored answers to keys: their rows stay until `purgeAccount` has deleted those. */
async function disablePeople(trx: Trx, accountId: number): Promise<void> {
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

async function takeNames(trx: Trx, accountId: number): Promise<void> {
  const now = Date.now();
  await trx
    .updateTable('accounts')
    .set({
      name: 'Deleted account',
      name_key: '',
      // No host name has an underscore.
      subdomain: idInWords(accountId),
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

async function giveUp(trx: Trx, accountId: number, subdomain: string, release: boolean): Promise<void> {
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
