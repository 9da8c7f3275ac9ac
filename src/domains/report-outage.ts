import { recordAuditEvent, service } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { domainOutage } from '../mail/domain-outage.ts';
import { findSender } from '../mail/find-sender.ts';
import { enqueue } from '../mail/outbox.ts';
import { reserveMail } from '../users/mail-budget.ts';
import type { DomainRow } from './domain.ts';

/**
 * How many of these messages a mailbox gets in a day: for each user who has proved the address, and for all other users
 * together. Anybody can have accounts made for another person's address.
 */
const MESSAGES_PER_DAY = 10;

/**
 * Tells the owners and admins of the account by mail that a domain leads elsewhere, and records it in the log. Mailboxes
 * whose budget is used up get no message, nor do those of a suspended account.
 */
export async function reportOutage(
  trx: Trx,
  { id, account_id: accountId, host }: DomainRow,
  found: readonly string[],
  mailFrom: string,
): Promise<void> {
  const event = { action: 'domain.outage', subject: `domain_${id}`, details: { host } };
  await recordAuditEvent(trx, accountId, service, event);
  const users = await trx
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.id', 'users.name as userName', 'users.email as userEmail', 'users.address_proved_at as provedAt'])
    .where('users.account_id', '=', accountId)
    .where('users.role', 'in', ['owner', 'admin'])
    .where('users.removed_at', 'is', null)
    .where('accounts.status', '=', 'active')
    .orderBy('users.email_key')
    .execute();
  const sender = await findSender(trx, accountId, 'domain_outage');
  for (const { id: userId, provedAt, ...user } of users) {
    const count = { cause: 'domain outage', email: user.userEmail, perDay: MESSAGES_PER_DAY };
    const wait = await reserveMail(trx, provedAt === null ? count : { ...count, userId });
    if (wait === 0) await enqueue(trx, accountId, mailFrom, domainOutage({ ...sender, ...user, host, found }));
  }
}
