import type { Trx } from '../db/database.ts';
import { enqueue } from '../mail/outbox.ts';
import { type SecurityChange, securityNotice } from '../mail/security-notice.ts';
import type { MailSettings } from './forgotten-password.ts';
import { takeMail, tooMuchMail } from './mail-budget.ts';

export interface ChangeToTell {
  userId: number;
  change: SecurityChange;
  ip: string;
}

/**
 * How many notices of one kind a mailbox gets in a day. More than anybody has cause for, even who looks after many sites
 * with one address and gives each a new password.
 */
const NOTICES_PER_DAY = 20;

/**
 * Queues a message to the user that the way they sign in has changed, in the transaction that changes it. Beyond the
 * budget nothing changes without its notice, so that nobody can use up the notices first and then do something that is
 * told to nobody: it is refused. But a passkey can be removed at any time, since it may be in the wrong hands; then there is
 * no notice. Returns whether there is one.
 * @throws RateLimited
 */
export async function tellOfChange(
  trx: Trx,
  accountId: number,
  { userId, change, ip }: ChangeToTell,
  { mailFrom }: MailSettings,
): Promise<boolean> {
  const user = await trx
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.name as userName', 'users.email as userEmail', 'accounts.name as accountName'])
    .where('users.account_id', '=', accountId)
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
  const wait = await takeMail(trx, { cause: change.kind, email: user.userEmail, perDay: NOTICES_PER_DAY });
  if (wait > 0 && change.kind === 'passkey removed') return false;
  if (wait > 0) throw tooMuchMail(wait);
  await enqueue(trx, accountId, mailFrom, securityNotice({ ...user, change, ip, at: Date.now() }));
  return true;
}
