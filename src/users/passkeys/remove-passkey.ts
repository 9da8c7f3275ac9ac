import type { Trx } from '../../db/database.ts';
import { notFound } from '../../errors.ts';
import { recordRemoval } from '../../removals/record-removal.ts';

/**
 * Removes one of the user's passkeys. Sessions that it started continue. The same session can restore it for 10
 * minutes. Returns its name.
 * @throws AppError `not_found`
 */
export async function removePasskey(
  trx: Trx,
  accountId: number,
  { userId, sessionId, id }: { userId: number; sessionId: number; id: number },
): Promise<string> {
  const row = await trx
    .deleteFrom('passkeys')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw notFound('The passkey');
  await recordRemoval(trx, accountId, { kind: 'passkey', subjectId: id, userId, payload: { row, sessionId } });
  return row.name;
}
