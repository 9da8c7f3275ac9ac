import type { Trx } from '../db/database.ts';
import { clearKnownChanges } from '../tenancy/clear-known-changes.ts';

/**
 * Renames a user, and the rows of agency users who have acted for the user. The caller has raised the account's content
 * version. Forgets all recorded changes, since pages show the name and finding these would mean reading all pages.
 */
export async function setName(trx: Trx, accountId: number, userId: number, name: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ name })
    .where('account_id', '=', accountId)
    .where((e) => e.or([e('id', '=', userId), e('acts_for', '=', userId)]))
    .where('name', '!=', name)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await clearKnownChanges(trx, accountId);
}
