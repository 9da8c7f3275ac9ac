import type { Trx } from '../db/database.ts';
import { forgetChanges } from '../tenancy/forget-changes.ts';

/**
 * Gives a user another name, also where somebody of the agency has acted for the user. The caller has raised the account's
 * content version. Pages show the name, and nobody knows which ones without reading all of them.
 */
export async function setName(trx: Trx, accountId: number, userId: number, name: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ name })
    .where('account_id', '=', accountId)
    .where((e) => e.or([e('id', '=', userId), e('acts_for', '=', userId)]))
    .where('name', '!=', name)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await forgetChanges(trx, accountId);
}
