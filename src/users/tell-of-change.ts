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
 * How many notices of one kind a mailbox gets in a day for all users who have not proved that it is theirs, and each user who
 * has. More than anybody has cause for, even who looks after many sites with one address and gives each a new password.
 */
const NOTICES_PER_DAY = 20;

const PROVE_FIRST = 'Or sign out, choose a new password with “Forgotten your password?”, and try again at once.';

/**
 * Queues a message to the user that the way they sign in has changed, in the transaction that changes it. A stranger can
 * have accounts made for somebody else's address and use up the budget of its mailbox: it holds nobody back who has proved
 * the address, which a mailed link does at any time. Beyond the
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
    .select([
      'users.name as userName',
      'users.email as userEmail',
      'users.address_proved_at',
      'accounts.name as accountName',
    ])
    .where('users.account_id', '=', accountId)
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
  const { address_proved_at, ...receiver } = user;
  const isProved = address_proved_at !== null;
  const count = { cause: change.kind, email: user.userEmail, perDay: NOTICES_PER_DAY };
  const wait = await takeMail(trx, isProved ? { ...count, userId } : count);
  if (wait > 0 && change.kind === 'passkey removed') return false;
  if (wait > 0) throw isProved ? tooMuchMail(wait) : tooMuchMail(wait, PROVE_FIRST);
  await enqueue(trx, accountId, mailFrom, securityNotice({ ...receiver, change, ip, at: Date.now() }));
  return true;
}
