import type { Trx } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { dropRemovals, recordRemoval } from '../removals/removals.ts';

/**
 * Revokes a key at once. A user of the account can undo their own revocation for 10 minutes. The operator's revocation is
 * final, even if a user had revoked the key before. Returns true if the key was active.
 * @throws AppError `not_found`
 */
export async function revokeApiKey(
  trx: Trx,
  accountId: number,
  { keyId, userId }: { keyId: number; userId: number | null },
): Promise<boolean> {
  const key = await trx
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', keyId)
    .executeTakeFirst();
  if (!key) throw notFound('The API key');
  // Comes first, so that it waits for a concurrent restoration and then revokes the key again.
  if (userId === null) await dropRemovals(trx, accountId, 'key', [keyId]);
  const { numUpdatedRows } = await trx
    .updateTable('api_keys')
    .set({ revoked_at: Date.now() })
    .where('account_id', '=', accountId)
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (userId !== null && numUpdatedRows > 0n) {
    await recordRemoval(trx, accountId, { kind: 'key', subjectId: keyId, userId, payload: { withUser: false } });
  }
  return numUpdatedRows > 0n;
}
