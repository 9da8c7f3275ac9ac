import type { UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { findSender } from '../mail/find-sender.ts';
import { enqueue } from '../mail/outbox.ts';
import { type SecurityChange, securityNotice } from '../mail/security-notice.ts';
import type { MailSettings } from './forgotten-password.ts';
import { mailLimitReached, reserveMail } from './mail-budget.ts';

/**
 * How many notices of one kind a mailbox gets in a day: for each user who has proved the address, and for all others
 * together. It is enough for a person who gives each of many sites a new password.
 */
const NOTICES_PER_DAY = 20;

const PROVE_FIRST = 'Or sign out, choose a new password with “Forgotten your password?”, and try again at once.';

/**
 * Queues a notice to the user that how they sign in has changed, in the transaction of the change. Beyond the budget it
 * refuses the change, so that nobody can use up the notices first and then make a change without one. Only a passkey
 * can still be removed, without a notice, since it may be in the wrong hands. Returns whether a notice was queued.
 *
 * A stranger can have accounts made for another person's address and use up the budget of its mailbox. Users who have
 * proved the address, which a mailed link does at any time, therefore have budgets of their own.
 *
 * @throws RateLimited
 */
export async function sendSecurityNotice(
  trx: Trx,
  accountId: number,
  change: SecurityChange,
  { userId, ip }: Pick<UserActor, 'userId' | 'ip'>,
  { mailFrom }: MailSettings,
): Promise<boolean> {
  const user = await trx
    .selectFrom('users')
    .select(['name as userName', 'email as userEmail', 'address_proved_at'])
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const { address_proved_at, ...receiver } = user;
  const isProved = address_proved_at !== null;
  const count = { cause: change.kind, email: user.userEmail, perDay: NOTICES_PER_DAY };
  const wait = await reserveMail(trx, isProved ? { ...count, userId } : count);
  if (wait > 0 && change.kind === 'passkey removed') return false;
  if (wait > 0) throw isProved ? mailLimitReached(wait) : mailLimitReached(wait, PROVE_FIRST);
  const sender = await findSender(trx, accountId, 'security_notice');
  await enqueue(trx, accountId, mailFrom, securityNotice({ ...sender, ...receiver, change, ip, at: Date.now() }));
  return true;
}
