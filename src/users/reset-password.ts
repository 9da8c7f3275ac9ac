import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Db } from '../db/database.ts';
import { endSessionOf, endSessions } from './end-sessions.ts';
import { findLink, spendLink } from './one-time-links.ts';
import { hashPassword } from './password.ts';
import { hasSecondFactor } from './second-factor.ts';
import { type ClientInfo, startSession } from './sessions.ts';
import { checkNewPassword, setPassword } from './set-password.ts';
import { knownKey, resetAttempts } from './throttle.ts';

interface ResetPasswordInput {
  token: string;
  password: string;
  clientInfo: ClientInfo;
  /** The token of the browser's earlier session, which ends. */
  previous: string | undefined;
  /** `host[:port]` of the sites. */
  sitesDomain: string;
}

/**
 * Sets the password that the user of a mailed link chose, ends all of their sessions, and starts a new one. Returns its
 * token; undefined if the user has a second factor, which the sign-in still has to ask for.
 * @throws AppError `not_found` when the link was used or is too old, `suspended`; ValidationError
 */
export async function resetPassword(db: Db, input: ResetPasswordInput): Promise<string | undefined> {
  const { token, password, clientInfo, previous } = input;
  const link = await findLink(db, token, ['reset_password', 'invitation']);
  await checkNewPassword(db, link, input);
  const { accountId, userId } = link;
  const passwordHash = await hashPassword(password, accountId);
  return db.transaction().execute(async (trx) => {
    await spendLink(trx, link, token);
    await setPassword(trx, accountId, userId, { passwordHash, byMailedLink: true });
    await endSessions(trx, accountId, userId);
    if (previous !== undefined) await endSessionOf(trx, previous);
    const action = link.purpose === 'invitation' ? 'invitation.accepted' : 'password.reset';
    const actor = { userId, name: link.userName, ip: clientInfo.ip };
    await recordAuditEvent(trx, accountId, actor, { action, subject: `user_${userId}` });
    const session = await startSession(trx, accountId, { userId, clientInfo });
    if (!(await hasSecondFactor(trx, accountId, userId))) return session;
    // Records this network as known, by a session that ends at once: then guesses from other networks cannot block the
    // second factor.
    await endSessionOf(trx, session);
    await resetAttempts(trx, { clear: [knownKey(clientInfo.network, userId)] });
    return undefined;
  });
}
