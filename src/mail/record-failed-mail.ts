import { type AuditEvent, recordAuditEvents, service } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import type { OutboxRow } from './outbox.ts';

/**
 * Locks the seller of the message's account and the account, in the order of all changes of customers. Returns the account's
 * name and the seller's id.
 */
export async function lockAccountsOfMail(trx: Trx, { account_id: id }: OutboxRow) {
  const account = await trx
    .selectFrom('accounts')
    .select(['name', 'parent_id'])
    .where('id', '=', id)
    .executeTakeFirst();
  const sellerId = account?.parent_id ?? undefined;
  if (sellerId !== undefined) await lockAccount(trx, sellerId);
  await lockAccount(trx, id);
  return { name: account?.name ?? '', sellerId };
}

/**
 * Records in the account's log that a message to one of its users has failed for good, with the mail server's response.
 * Failed login instructions are recorded in the seller's log as well: the customer cannot sign in without them.
 */
export async function recordFailedMail(
  trx: Trx,
  { id, account_id: accountId, kind, to_email: email }: OutboxRow,
  { reason, name, sellerId }: { reason: string; name: string; sellerId: number | undefined },
): Promise<void> {
  const about = { kind: kind ?? '', email, reason };
  const own = { action: 'mail.failed', subject: `mail_${id}`, details: { ...about, name: email } };
  const ofSeller = { action: 'customer.mail_failed', subject: `customer_${accountId}`, details: { ...about, name } };
  const isForSeller = sellerId !== undefined && kind === 'login_instructions';
  const record = <E extends AuditEvent>(of: number, event: E) => ({ accountId: of, actor: service, event });
  await recordAuditEvents(trx, [...(isForSeller ? [record(sellerId, ofSeller)] : []), record(accountId, own)]);
}
