import type { Trx } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { type RemovalPayloads, takeRemoval } from '../removals/removals.ts';

/**
 * Restores a key that was revoked less than 10 minutes ago. A key that was revoked with its user is restored only with the
 * user.
 * @throws AppError `not_found`; `conflict` when it is too late.
 */
export async function restoreApiKey(trx: Trx, accountId: number, keyId: number): Promise<void> {
  const { withUser } = await takeRemoval(trx, accountId, 'key', keyId);
  if (withUser) throw notFound('The removed key');
  await unrevoke(trx, accountId, keyId);
}

/**
 * Restores the keys that `revokeKeysOfUser` revoked, except those that the operator has revoked since. Returns how many.
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
    // Locks keys in the order in which `KeyUsage` writes their uses.
    .orderBy('api_keys.id')
    .execute();
  // A key that was revoked on its own stays revoked.
  const withUser = removed.filter(({ payload }) => (JSON.parse(payload) as RemovalPayloads['key']).withUser);
  for (const { id } of withUser) {
    await takeRemoval(trx, accountId, 'key', id);
    await unrevoke(trx, accountId, id);
  }
  return withUser.length;
}

/** Clears the revocation. A key that has expired in the meantime stays expired. */
async function unrevoke(trx: Trx, accountId: number, keyId: number): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set({ revoked_at: null })
    .where('account_id', '=', accountId)
    .where('id', '=', keyId)
    .execute();
}
