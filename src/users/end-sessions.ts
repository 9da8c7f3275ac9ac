import { recordAuditEvent, type UserActor } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { findSession } from './sessions.ts';
import { hashToken } from './token.ts';

/** Ends the token's session, if there is one. */
export async function signOut(db: Db, token: string, ip: string): Promise<void> {
  const owner = await findSession(db, token);
  if (!owner) return;
  const { accountId, userId, userName: name, sessionId } = owner;
  await db.transaction().execute(async (trx) => {
    await lockAccount(trx, accountId);
    if (!(await endSessionOf(trx, token))) return;
    const event = { action: 'session.ended', subject: `session_${sessionId}` };
    await recordAuditEvent(trx, accountId, { userId, name, ip }, event);
  });
}

/**
 * Ends one of the user's sessions.
 * @throws AppError `not_found` when the session is another user's or has ended.
 */
export async function endSession(trx: Trx, accountId: number, sessionId: number, by: UserActor): Promise<void> {
  const active = endActive(trx, accountId, by.userId);
  const { numUpdatedRows } = await active.where('id', '=', sessionId).executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw notFound('The session');
  await recordAuditEvent(trx, accountId, by, { action: 'session.ended', subject: `session_${sessionId}` });
}

/** Ends all sessions of the signed-in user, and records it in the audit log. */
export async function endOwnSessions(trx: Trx, accountId: number, by: UserActor): Promise<void> {
  await endSessions(trx, accountId, by.userId);
  await recordAuditEvent(trx, accountId, by, { action: 'sessions.ended', subject: `user_${by.userId}` });
}

/** Ends all of the user's sessions without an audit event: the caller records the change that they are part of. */
export async function endSessions(trx: Trx, accountId: number, userId: number): Promise<void> {
  await endActive(trx, accountId, userId).execute();
}

function endActive(trx: Trx, accountId: number, userId: number) {
  return trx
    .updateTable('sessions')
    .set({ ended_at: Date.now() })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null);
}

/** Ends the token's session and returns its ids; undefined if there is no active session. */
export function endSessionOf(trx: Trx, token: string) {
  return trx
    .updateTable('sessions')
    .set({ ended_at: Date.now() })
    .where('token_hash', '=', hashToken(token))
    .where('ended_at', 'is', null)
    .returning(['id', 'account_id', 'user_id'])
    .executeTakeFirst();
}
