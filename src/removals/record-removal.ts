import type { Trx } from '../db/database.ts';
import { dropRemovals } from './drop-removals.ts';
import type { RemovalKind, RemovalOf } from './removal.ts';

/** Stores what is needed to undo a removal, in place of an earlier one of the same thing. */
export async function recordRemoval<K extends RemovalKind>(
  trx: Trx,
  accountId: number,
  { kind, subjectId, userId, payload }: RemovalOf<K>,
): Promise<void> {
  await dropRemovals(trx, accountId, kind, [subjectId]);
  await trx
    .insertInto('removals')
    .values({
      account_id: accountId,
      user_id: userId,
      kind,
      subject_id: subjectId,
      created_at: Date.now(),
      payload: JSON.stringify(payload),
    })
    .execute();
}
