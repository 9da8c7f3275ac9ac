import { sql } from 'kysely';
import { dialectOf, type Trx } from '../db/database.ts';
import { disableStatementTimeout } from '../db/disable-statement-timeout.ts';
import type { Schema } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import type { KeptMessage } from '../mail/file-transport.ts';
import { keysOf } from '../media/media.ts';
import { purgeSearchWords } from '../pages/search-index.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';
import { lockWholeAccount } from '../tenancy/lock-account.ts';
import { getAccount, accountId as idInWords } from './account.ts';
import { suspendCustomer } from './change-customer.ts';

/** All that is an account's, each before what it refers to. Plans and the ledger stay: they are about revenue. */
const itsTables: readonly (keyof Schema)[] = [
  ...(['idempotency', 'api_keys', 'drafts', 'revisions', 'redirects', 'removed_pages', 'undos', 'pages'] as const),
  ...(['media', 'domains', 'outbox', 'sessions', 'one_time_links', 'second_factors', 'recovery_codes'] as const),
  ...(['passkeys', 'passkey_challenges', 'removals', 'audit_log', 'users'] as const),
  ...(['search_accounts', 'search_queue', 'search_pages', 'search_vocabulary'] as const),
];

export interface DeleteAccountInput {
  /** Whether anybody may have its subdomain at once, and not only after 90 days. */
  releaseSubdomain: boolean;
  /** Who does it, in the ledger. */
  actor: string;
}

export interface FilesLeft {
  /** Their keys in the store. */
  media: string[];
  /** Some of them may be kept as files. */
  messages: KeptMessage[];
}

/**
 * Deletes an account with everything that is its own, for good. What stays is a row without a name, for the seller's
 * ledger, which ends with the customer's suspension. Returns whose files are to be removed once the transaction has been
 * committed.
 * @throws AppError `not_found`; `conflict` while it has customers.
 */
export async function deleteAccount(
  trx: Trx,
  accountId: number,
  { releaseSubdomain, actor }: DeleteAccountInput,
): Promise<FilesLeft> {
  await disableStatementTimeout(trx, dialectOf(trx));
  const { parent_id, subdomain } = await getAccount(trx, accountId);
  // The seller first, as with everything that changes a customer.
  if (parent_id !== null) await raiseCustomersVersion(trx, parent_id);
  await lockAccountAndKeys(trx, accountId);
  // Not counted any more.
  if (parent_id !== null) await suspendCustomer(trx, parent_id, accountId, actor);
  await takeNames(trx, accountId);
  await refuseWithCustomers(trx, accountId, subdomain);
  const media = await trx.selectFrom('media').select(['folder', 'files']).where('account_id', '=', accountId).execute();
  const messages = await trx
    .selectFrom('outbox')
    .select(['id', 'message_id'])
    .where('account_id', '=', accountId)
    .execute();
  await purgeSearchWords(trx, accountId);
  for (const table of itsTables) {
    await sql`delete from ${sql.table(table)} where account_id = ${accountId}`.execute(trx);
  }
  await giveUp(trx, accountId, subdomain, releaseSubdomain);
  return { media: media.flatMap(keysOf), messages };
}

/**
 * Waits for whoever is adding something to the account, and lets nobody begin to: a row that refers to another one locks it.
 * The account first, as everywhere (see `lockAccount`); then its keys, in the order in which their uses are written down.
 */
async function lockAccountAndKeys(trx: Trx, accountId: number): Promise<void> {
  await lockWholeAccount(trx, accountId);
  if (dialectOf(trx) === 'sqlite') return;
  await sql`select 1 from api_keys where account_id = ${accountId} order by id for update`.execute(trx);
}

async function takeNames(trx: Trx, accountId: number): Promise<void> {
  const now = Date.now();
  await trx
    .updateTable('accounts')
    .set((e) => ({
      name: 'Deleted account',
      // No host name has an underscore.
      subdomain: idInWords(accountId),
      status: 'suspended',
      deleted_at: now,
      content_version: e('content_version', '+', 1),
      content_changed_at: now,
      page_bytes: 0,
    }))
    .where('id', '=', accountId)
    .execute();
}

async function refuseWithCustomers(trx: Trx, accountId: number, subdomain: string): Promise<void> {
  const { count } = await trx
    .selectFrom('accounts')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('parent_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (count === 0) return;
  const customers = count === 1 ? 'a customer' : `${count} customers`;
  throw new AppError('conflict', `"${subdomain}" has ${customers}: see customer list. Delete them first.`);
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
