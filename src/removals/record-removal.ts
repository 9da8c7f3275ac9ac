import type { Trx } from '../db/database.ts';
import { dropRemovals } from './drop-removals.ts';
import type { RemovalKind, RemovalOf } from './removal.ts';

/** Keeps what it takes to have something back that is being removed. A removal of the same from before is forgotten. */
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
