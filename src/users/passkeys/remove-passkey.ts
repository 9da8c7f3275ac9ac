import type { Trx } from '../../db/database.ts';
import { notFound } from '../../errors.ts';

/**
 * Removes one of the user's passkeys: nobody signs in with it any more. Sessions that it began go on. Returns its name.
 * @throws AppError `not_found`
 */
export async function removePasskey(
  trx: Trx,
  accountId: number,
  { userId, id }: { userId: number; id: number },
): Promise<string> {
  const removed = await trx
    .deleteFrom('passkeys')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  if (!removed) throw notFound('The passkey');
  return removed.name;
}

/** Removes all that the user has. */
export async function removePasskeysOf(trx: Trx, accountId: number, userId: number): Promise<void> {
  await trx.deleteFrom('passkeys').where('account_id', '=', accountId).where('user_id', '=', userId).execute();
}
