import { operator, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { endSessionOf } from './end-sessions.ts';
import { findLink, makeLink, spendLink } from './one-time-links.ts';
import { type ClientInfo, startSession } from './sessions.ts';

/**
 * Creates a link by which the operator lets a user in, or signs in as the user. It is for users who have no password yet or
 * have lost their second factor. It works once, for 30 minutes. Returns its URL.
 */
export async function makeSignInLink(trx: Trx, accountId: number, userId: number, publicUrl: string): Promise<string> {
  const token = await makeLink(trx, accountId, userId, 'sign_in');
  await recordAuditEvent(trx, accountId, operator, { action: 'sign_in_link.made', subject: `user_${userId}` });
  return `${publicUrl}/sign-in#token=${token}`;
}

/**
 * Signs in the holder of the link, without a password or second factor: the link comes from the operator, who has full
 * access anyway. Returns the session's token.
 * @throws AppError `not_found` when the link was used or is too old, `suspended`
 */
export async function signInByLink(
  db: Db,
  { token, clientInfo, previous }: { token: string; clientInfo: ClientInfo; previous: string | undefined },
): Promise<string> {
  const link = await findLink(db, token, ['sign_in']);
  const { accountId, userId } = link;
  return db.transaction().execute(async (trx) => {
    await spendLink(trx, link, token);
    if (previous !== undefined) await endSessionOf(trx, previous);
    const actor = { userId, name: link.userName, ip: clientInfo.ip };
    const details = { by: 'link' };
    await recordAuditEvent(trx, accountId, actor, { action: 'session.started', subject: `user_${userId}`, details });
    return startSession(trx, accountId, { userId, clientInfo });
  });
}
