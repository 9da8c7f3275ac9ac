import { dialectOf, type Trx } from '../db/database.ts';
import { dropRemovals, recordRemoval } from '../removals/removals.ts';

/**
 * Revokes all keys that act in the name of the user, since the user may have copies of them. For 10 minutes
 * `restoreKeysOfUser` can restore the active ones. Returns how many were active.
 */
export async function revokeKeysOfUser(
  trx: Trx,
  accountId: number,
  { userId, by }: { userId: number; by: { userId: number } },
): Promise<number> {
  const all = await trx
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    // Locks keys in the order in which `KeyUsage` writes their uses.
    .orderBy('id')
    .$if(dialectOf(trx) === 'postgres', (query) => query.forNoKeyUpdate())
    .execute();
  await dropRemovals(
    trx,
    accountId,
    'key',
    all.map(({ id }) => id),
  );
  const revoked = await trx
    .updateTable('api_keys')
    .set({ revoked_at: Date.now() })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute();
  for (const { id } of revoked) {
    const removal = { kind: 'key', subjectId: id, userId: by.userId, payload: { withUser: true } } as const;
    await recordRemoval(trx, accountId, removal);
  }
  return revoked.length;
}
