import type { Trx } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { type RemovalPayloads, takeRemoval } from '../removals/removals.ts';

/**
 * Has a key work again that was revoked less than 10 minutes ago. One that was lost with its user comes back with them.
 * @throws AppError `not_found`; `conflict` when it is too late.
 */
export async function restoreApiKey(trx: Trx, accountId: number, keyId: number): Promise<void> {
  const { withUser } = await takeRemoval(trx, accountId, 'key', keyId);
  if (withUser) throw notFound('What was removed');
  await unrevoke(trx, accountId, keyId);
}

/**
 * Restores the keys that `revokeKeysOfUser` has revoked, except those that the operator has revoked since. Returns how
 * many.
 * @throws AppError `conflict` when it is too late.
 */
export async function restoreKeysOfUser(trx: Trx, accountId: number, userId: number): Promise<number> {
  const removed = await trx
    .selectFrom('removals')
    .innerJoin('api_keys', (join) =>
      join.onRef('api_keys.account_id', '=', 'removals.account_id').onRef('api_keys.id', '=', 'removals.subject_id'),
    )
    .select(['api_keys.id', 'removals.payload'])
    .where('removals.account_id', '=', accountId)
    .where('removals.kind', '=', 'key')
    .where('api_keys.user_id', '=', userId)
    // In the order in which their uses are written (`KeyUsage`).
    .orderBy('api_keys.id')
    .execute();
  // A key that was revoked on its own stays revoked.
  const lost = removed.filter(({ payload }) => (JSON.parse(payload) as RemovalPayloads['key']).withUser);
  for (const { id } of lost) {
    await takeRemoval(trx, accountId, 'key', id);
    await unrevoke(trx, accountId, id);
  }
  return lost.length;
}

/** One that has expired meanwhile stays so. */
async function unrevoke(trx: Trx, accountId: number, keyId: number): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set({ revoked_at: null })
    .where('account_id', '=', accountId)
    .where('id', '=', keyId)
    .execute();
}
