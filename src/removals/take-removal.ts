import type { Trx } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { Refusal } from '../refusal.ts';
import { RESTORE_WINDOW_MS, type RemovalKind, type RemovalPayloads } from './removal.ts';

/**
 * Deletes and returns what is needed to restore the thing. Of two concurrent calls, one gets it.
 * @throws AppError `not_found` when it was not removed, or has been had back; `conflict` when that was too long ago.
 */
export async function takeRemoval<K extends RemovalKind>(
  trx: Trx,
  accountId: number,
  kind: K,
  subjectId: number,
): Promise<RemovalPayloads[K]> {
  const taken = await deleteRemoval(trx, accountId, kind, subjectId);
  if (!taken) throw notFound('What was removed');
  if (taken.created_at <= Date.now() - RESTORE_WINDOW_MS) {
    throw new Refusal('conflict', { reason: 'removed_too_long_ago' });
  }
  return JSON.parse(taken.payload) as RemovalPayloads[K];
}

function deleteRemoval(trx: Trx, accountId: number, kind: RemovalKind, subjectId: number) {
  return trx
    .deleteFrom('removals')
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('subject_id', '=', subjectId)
    .returning(['payload', 'created_at'])
    .executeTakeFirst();
}
