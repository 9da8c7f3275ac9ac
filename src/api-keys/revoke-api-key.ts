import type { Trx } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { dropRemovals } from '../removals/drop-removals.ts';
import { recordRemoval } from '../removals/record-removal.ts';

/**
 * Ends a key from this moment on. Where a user of the account does it, that can be undone for 10 minutes; what the operator
 * revokes stays revoked, even if somebody had done it before. Returns whether the key was not revoked yet.
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
  // First: whoever is restoring it is waited for, and has it revoked after all.
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
