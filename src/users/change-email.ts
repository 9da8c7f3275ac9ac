import { recordAuditEvent, type UserActor } from '../audit/record-audit-event.ts';
import { violatedUniqueRule } from '../db/constraint.ts';
import type { Db, Trx } from '../db/database.ts';
import { type AppError, ValidationError } from '../errors.ts';
import { confirmNewEmail } from '../mail/confirm-new-email.ts';
import { findSender } from '../mail/find-sender.ts';
import { enqueue } from '../mail/outbox.ts';
import { emailKey, validateEmail } from './create-user.ts';
import type { MailSettings } from './forgotten-password.ts';
import { getUser } from './get-user.ts';
import { mailboxOf, mailLimitReached, reserveMail } from './mail-budget.ts';
import { findLink, makeLink, spendLink, voidLinks } from './one-time-links.ts';
import { sendSecurityNotice } from './send-security-notice.ts';
import type { ClientInfo } from './sessions.ts';
import { countAttempt } from './throttle.ts';

/**
 * Counts a user's request to have a link mailed to an address: per mailbox, per network, and per user, since a user may have
 * many networks.
 * @throws TooManyAttempts
 */
export function countEmailRequest(
  db: Db,
  { userId, email, clientInfo }: { userId: number; email: string; clientInfo: ClientInfo },
): Promise<void> {
  return countAttempt(db, [
    { kind: 'newAddress', subject: String(userId) },
    { kind: 'confirmation', subject: mailboxOf(email.trim()) },
    { kind: 'mailing', subject: clientInfo.network },
  ]);
}

/** The most links that a mailbox gets per day from all users together: the address that a user enters may be a stranger's. */
const LINKS_PER_DAY = 10;

/**
 * Mails a confirmation link to the user's new address, and a notice to the current one. The address changes with
 * `confirmEmail`. A new link voids the earlier ones.
 * @throws ValidationError; RateLimited
 */
export async function askForEmail(
  trx: Trx,
  accountId: number,
  given: string,
  by: UserActor,
  settings: MailSettings,
): Promise<void> {
  const { userId } = by;
  const email = given.trim();
  const user = await getUser(trx, accountId, userId);
  const problem = validateEmail(email) ?? (email === user.email ? ({ code: 'unchanged' } as const) : undefined);
  if (problem) throw new ValidationError([{ field: 'email', ...problem }]);
  // Checked now, while the user can still correct it. When the link is followed, the unique index decides.
  const other = await trx
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .where('email_key', '=', emailKey(email))
    .where('id', '!=', userId)
    .executeTakeFirst();
  if (other) throw addressTaken();
  await voidLinks(trx, accountId, userId, 'change_email');
  const token = await makeLink(trx, accountId, userId, 'change_email', email);
  const message = confirmNewEmail({
    ...(await findSender(trx, accountId, 'confirm_email')),
    userName: user.name,
    email,
    token,
  });
  const wait = await reserveMail(trx, { cause: 'new address', email, perDay: LINKS_PER_DAY });
  if (wait > 0) throw mailLimitReached(wait);
  await enqueue(trx, accountId, settings.mailFrom, message);
  await sendSecurityNotice(trx, accountId, { kind: 'address asked for', email }, by, settings);
  const event = { action: 'email.asked', subject: `user_${userId}`, details: { email } };
  await recordAuditEvent(trx, accountId, by, event);
}

/**
 * Changes a user's address to the one that the link was mailed to, and sends a notice to the old one. Voids all other links
 * of the user, since they were mailed to the old address. The user's sessions continue.
 * @throws AppError `not_found` when the link was used or is too old, `suspended`; ValidationError when another user of the
 * account has taken the address since.
 */
export async function confirmEmail(
  db: Db,
  { token, ip }: { token: string; ip: string },
  settings: MailSettings,
): Promise<string> {
  const link = await findLink(db, token, ['change_email']);
  const { accountId, userId, email } = link;
  const actor = { userId, name: link.userName, ip };
  return db.transaction().execute(async (trx) => {
    await spendLink(trx, link, token);
    await sendSecurityNotice(trx, accountId, { kind: 'address changed', email }, actor, settings);
    await setEmail(trx, accountId, userId, email);
    await voidLinks(trx, accountId, userId);
    await recordAuditEvent(trx, accountId, actor, {
      action: 'email.changed',
      subject: `user_${userId}`,
      details: { email },
    });
    return email;
  });
}

/**
 * Changes a user's address and marks it as unproved.
 * @throws ValidationError when another user of the account has the address.
 */
export async function setEmail(trx: Trx, accountId: number, userId: number, email: string): Promise<void> {
  try {
    await trx
      .updateTable('users')
      // The person who confirms an address need not be the one who knows the password.
      .set({ email, email_key: emailKey(email), address_proved_at: null })
      .where('account_id', '=', accountId)
      .where('id', '=', userId)
      .where('removed_at', 'is', null)
      .execute();
  } catch (error) {
    if (violatedUniqueRule(error) === 'users_email') throw addressTaken();
    throw error;
  }
}

function addressTaken(): AppError {
  return new ValidationError([{ field: 'email', code: 'taken' }]);
}
