import type { Trx } from '../db/database.ts';
import type { RemovalKind } from './removal.ts';

/** Makes removals final, if there are any of these things. */
export async function dropRemovals(
  trx: Trx,
  accountId: number,
  kind: RemovalKind,
  subjectIds: readonly number[],
): Promise<void> {
  if (subjectIds.length === 0) return;
  await trx
    .deleteFrom('removals')
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('subject_id', 'in', subjectIds)
    .execute();
}
