import type { Trx } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { hashToken } from './token.ts';

/** Ends one of the user's sessions. @throws AppError `not_found` when it is somebody else's, or has ended. */
export async function endSession(trx: Trx, accountId: number, userId: number, sessionId: number): Promise<void> {
  const { numUpdatedRows } = await open(trx, accountId, userId).where('id', '=', sessionId).executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw notFound('The session');
}

/** Ends all sessions of the user's. */
export async function endSessions(trx: Trx, accountId: number, userId: number): Promise<void> {
  await open(trx, accountId, userId).execute();
}

function open(trx: Trx, accountId: number, userId: number) {
  return trx
    .updateTable('sessions')
    .set({ ended_at: Date.now() })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null);
}

/** Ends the session of the token and returns its owner; undefined if there is none. */
export function endSessionOf(trx: Trx, token: string) {
  return trx
    .updateTable('sessions')
    .set({ ended_at: Date.now() })
    .where('token_hash', '=', hashToken(token))
    .where('ended_at', 'is', null)
    .returning(['id', 'account_id', 'user_id'])
    .executeTakeFirst();
}
