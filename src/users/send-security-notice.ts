import type { UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { findSender } from '../mail/find-sender.ts';
import { enqueue } from '../mail/outbox.ts';
import { type SecurityChange, securityNotice } from '../mail/security-notice.ts';
import type { MailSettings } from './forgotten-password.ts';
import { mailLimitReached, reserveMail } from './mail-budget.ts';

/**
 * The most notices of one kind that a mailbox gets per day: for each user who has proved the address, and for all other
 * users together. That is enough for a person who changes the password of each of many sites.
 */
const NOTICES_PER_DAY = 20;

const PROVE_FIRST = 'Or sign out, choose a new password with “Forgotten your password?”, and try again at once.';

/**
 * Queues a notice that the way in which the user signs in has changed, in the transaction of the change. Returns true if a
 * notice was queued. Beyond the budget it refuses the change: otherwise an intruder could use up the notices first and then
 * make a change without one. Only the removal of a passkey is allowed without a notice, since the passkey may be in the
 * wrong hands.
 *
 * A stranger can have accounts made for another person's address and use up the budget of its mailbox. Users who have proved
 * the address therefore have their own budgets. A mailed link proves the address at any time.
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
