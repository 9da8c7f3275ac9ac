import type { Trx } from '../db/database.ts';

/** Ends every key that acts in the name of the user, who knows them. Returns how many still worked. */
export async function revokeKeysOfUser(trx: Trx, accountId: number, userId: number): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('api_keys')
    .set({ revoked_at: Date.now() })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
