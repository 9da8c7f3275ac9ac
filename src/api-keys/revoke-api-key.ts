import type { Trx } from '../db/database.ts';
import { notFound } from '../errors.ts';

/** Ends a key from this moment on; revoking a revoked key changes nothing. */
export async function revokeApiKey(trx: Trx, accountId: number, keyId: number): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('api_keys')
    .set((e) => ({ revoked_at: e.fn.coalesce('revoked_at', e.val(Date.now())) }))
    .where('account_id', '=', accountId)
    .where('id', '=', keyId)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw notFound('The API key');
}
