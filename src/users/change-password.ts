import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Db } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { assertSessionActive } from './assert-session-active.ts';
import { endSessions } from './end-sessions.ts';
import type { MailSettings } from './forgotten-password.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { sendSecurityNotice } from './send-security-notice.ts';
import { type ClientInfo, type SessionOwner, startSession } from './sessions.ts';
import { checkNewPassword, findUserOfAccount, setPassword } from './set-password.ts';
import { countAttempt, resetAttempts, userKey } from './throttle.ts';

interface ChangePasswordInput {
  /** The current password, if the user has one. */
  current: string;
  password: string;
  confirmation: string;
  clientInfo: ClientInfo;
  /** `host[:port]` of the sites. */
  sitesDomain: string;
}

/**
 * Changes the password of the signed-in user, ends all of their sessions and starts a new one: a stolen token may be the
 * reason for the change. Mails a notice, and returns the new session's token.
 * @throws ValidationError; TooManyAttempts after too many wrong guesses at the current password.
 */
export async function changePassword(
  db: Db,
  owner: SessionOwner,
  input: ChangePasswordInput,
  settings: MailSettings,
): Promise<string> {
  const { accountId, userId } = owner;
  await checkNewPassword(db, await findUserOfAccount(db, owner), input);
  await checkCurrentPassword(db, owner, input.current);
  const passwordHash = await hashPassword(input.password, accountId);
  return db.transaction().execute(async (trx) => {
    await assertSessionActive(trx, owner);
    await setPassword(trx, accountId, userId, { passwordHash, byMailedLink: false });
    await endSessions(trx, accountId, userId);
    const actor = { userId, name: owner.userName, ip: input.clientInfo.ip };
    await recordAuditEvent(trx, accountId, actor, { action: 'password.changed', subject: `user_${userId}` });
    await sendSecurityNotice(trx, accountId, { kind: 'password changed' }, actor, settings);
    return startSession(trx, accountId, { userId, clientInfo: input.clientInfo });
  });
}

/**
 * Checks the current password before a change that would lock the owner out: somebody else may be using an unattended
 * computer. Does nothing if the user has no password.
 * @throws ValidationError; TooManyAttempts
 */
export async function checkCurrentPassword(
  db: Db,
  { accountId, userId }: Pick<SessionOwner, 'accountId' | 'userId'>,
  current: string,
): Promise<void> {
  const { password_hash: known } = await db
    .selectFrom('users')
    .select('password_hash')
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  if (known === null) return;
  const keys = [userKey(userId)];
  await countAttempt(db, keys);
  if (!(await verifyPassword(known, current, accountId)))
    throw new ValidationError([{ field: 'current', code: 'wrong' }]);
  await db.transaction().execute((trx) => resetAttempts(trx, { clear: keys }));
}
