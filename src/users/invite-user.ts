import { recordAuditEvent } from '../audit/record-audit-event.ts';
import { violatedUniqueRule } from '../db/constraint.ts';
import type { Db, Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import type { FieldError } from '../field-error.ts';
import { findSender } from '../mail/find-sender.ts';
import { invitation } from '../mail/invitation.ts';
import { enqueue } from '../mail/outbox.ts';
import { replyAddressOfUser } from '../mail/reply-address.ts';
import { validateLabel } from '../name.ts';
import { Refusal } from '../refusal.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { checkPlanLimit } from '../tenancy/plan-limits.ts';
import { createUser, emailKey, validateEmail } from './create-user.ts';
import type { MailSettings } from './forgotten-password.ts';
import { getUser } from './get-user.ts';
import { mailboxOf } from './mail-budget.ts';
import { makeLink, voidLinks } from './one-time-links.ts';
import { type ActingUser, checkMayGive, roleOf, roles } from './roles.ts';
import { countAttempt } from './throttle.ts';

interface InviteUserInput {
  name: string;
  email: string;
  role: string;
}

/**
 * Counts an invitation, so that nobody can use invitations as a mailing list or to pester a stranger. One account may invite
 * an address three times a day, all accounts together ten times.
 * @throws TooManyAttempts
 */
export function countInvitation(db: Db, accountId: number, email: string): Promise<void> {
  const address = emailKey(email.trim());
  return countAttempt(db, [
    { kind: 'invitation', subject: String(accountId) },
    { kind: 'invited', subject: `${accountId} ${address}` },
    { kind: 'invitedByAll', subject: mailboxOf(email.trim()) },
  ]);
}

/**
 * Adds a user without a password to the account, and mails them a link for choosing one. The link works once, for 7 days.
 * Returns the user's id.
 * @throws ValidationError with every wrong field; LimitReached; AppError `forbidden` for a role that the actor may not give.
 */
export async function inviteUser(
  trx: Trx,
  accountId: number,
  input: InviteUserInput,
  by: ActingUser,
  settings: MailSettings,
): Promise<number> {
  await raiseContentVersion(trx, accountId, Date.now());
  const name = input.name.trim();
  const email = input.email.trim();
  const role = roleOf(input.role);
  const failures: FieldError[] = [];
  const wrongName = validateLabel(name);
  if (wrongName) failures.push({ field: 'name', ...wrongName });
  const wrongEmail = validateEmail(email);
  if (wrongEmail) failures.push({ field: 'email', ...wrongEmail });
  if (!role) failures.push({ field: 'role', code: 'not_one_of', params: { values: roles } });
  if (failures.length > 0) throw new ValidationError(failures);
  checkMayGive(by.role, role!);
  await checkPlanLimit(trx, accountId, 'people');

  const userId = await createUser(trx, accountId, { name, email, role: role!, passwordHash: null }).catch((error) => {
    if (violatedUniqueRule(error) === 'users_email') throw new ValidationError([{ field: 'email', code: 'taken' }]);
    throw error;
  });
  await mailInvitation(trx, accountId, userId, by, settings);
  const details = { name, email, role };
  await recordAuditEvent(trx, accountId, by, { action: 'user.invited', subject: `user_${userId}`, details });
  return userId;
}

/**
 * Sends the invitation once more, and voids the earlier link.
 * @throws AppError `not_found`; `conflict` when the user has accepted.
 */
export async function inviteAgain(
  trx: Trx,
  accountId: number,
  userId: number,
  by: ActingUser,
  settings: MailSettings,
): Promise<void> {
  const user = await getUser(trx, accountId, userId);
  if (user.password_hash !== null)
    throw new Refusal('conflict', { reason: 'invitation_accepted', params: { name: user.name } });
  checkMayGive(by.role, user.role);
  await voidLinks(trx, accountId, userId);
  await mailInvitation(trx, accountId, userId, by, settings);
  const details = { again: true };
  await recordAuditEvent(trx, accountId, by, { action: 'user.invited', subject: `user_${userId}`, details });
}

async function mailInvitation(
  trx: Trx,
  accountId: number,
  userId: number,
  by: ActingUser,
  { mailFrom }: MailSettings,
): Promise<void> {
  const { name: userName, email: userEmail } = await getUser(trx, accountId, userId);
  const sender = await findSender(trx, accountId, 'invitation');
  const replyTo = await replyAddressOfUser(trx, accountId, by.userId);
  const token = await makeLink(trx, accountId, userId, 'invitation');
  const values = { ...sender, replyTo, userName, userEmail, inviterName: by.name, token };
  await enqueue(trx, accountId, mailFrom, invitation(values));
}
