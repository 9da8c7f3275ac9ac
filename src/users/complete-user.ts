import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Db } from '../db/database.ts';
import { AppError, ValidationError } from '../errors.ts';
import type { FieldError } from '../field-error.ts';
import { validateLabel } from '../name.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { assertSessionActive } from './assert-session-active.ts';
import { setEmail } from './change-email.ts';
import { validateEmail } from './create-user.ts';
import { endSessions } from './end-sessions.ts';
import { getUser } from './get-user.ts';
import { hashPassword } from './password.ts';
import { type ClientInfo, type SessionOwner, startSession } from './sessions.ts';
import { setName } from './set-name.ts';
import { findUserOfAccount, setPassword, validateNewPassword } from './set-password.ts';

interface CompleteUserInput {
  name: string;
  email: string;
  password: string;
  clientInfo: ClientInfo;
  /** `host[:port]` of the sites. */
  sitesDomain: string;
}

/**
 * Sets the name, mail address and password of a user who signed in by the operator's link and has no password. The address
 * need not be confirmed: at the first start there is often no mail server. Ends all of the user's sessions, and starts a new
 * one. Returns its token.
 * @throws ValidationError with every wrong field; AppError `conflict` when the user has a password.
 */
export async function completeUser(db: Db, owner: SessionOwner, input: CompleteUserInput): Promise<string> {
  const { accountId, userId } = owner;
  const { clientInfo } = input;
  const name = input.name.trim();
  const email = input.email.trim();
  const user = { ...(await findUserOfAccount(db, owner)), userName: name, email };
  const failures: FieldError[] = await validateNewPassword(db, user, input);
  const wrongName = validateLabel(name);
  if (wrongName) failures.push({ field: 'name', ...wrongName });
  const wrongEmail = validateEmail(email);
  if (wrongEmail) failures.push({ field: 'email', ...wrongEmail });
  if (failures.length > 0) throw new ValidationError(failures);

  const passwordHash = await hashPassword(input.password, accountId);
  return db.transaction().execute(async (trx) => {
    await assertSessionActive(trx, owner);
    // The list of pages shows the name.
    await raiseContentVersion(trx, accountId, Date.now());
    const { password_hash: known } = await getUser(trx, accountId, userId);
    if (known !== null) throw new AppError('conflict', 'You already have a password.');
    await setEmail(trx, accountId, userId, email);
    await setName(trx, accountId, userId, name);
    await setPassword(trx, accountId, userId, { passwordHash, byMailedLink: false });
    await endSessions(trx, accountId, userId);
    const event = { action: 'user.completed', subject: `user_${userId}`, details: { name, email } };
    await recordAuditEvent(trx, accountId, { userId, name, ip: clientInfo.ip }, event);
    return startSession(trx, accountId, { userId, clientInfo });
  });
}
