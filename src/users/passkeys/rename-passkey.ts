import { recordAuditEvent, type UserActor } from '../../audit/record-audit-event.ts';
import type { Trx } from '../../db/database.ts';
import { notFound } from '../../errors.ts';
import { checkName } from './register-passkey.ts';

/**
 * Renames one of the user's passkeys.
 * @throws AppError `not_found`; ValidationError
 */
export async function renamePasskey(
  trx: Trx,
  accountId: number,
  { id, name }: { id: number; name: string },
  by: UserActor,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('passkeys')
    .set({ name: checkName(name) })
    .where('account_id', '=', accountId)
    .where('user_id', '=', by.userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw notFound('The passkey');
  await recordAuditEvent(trx, accountId, by, { action: 'passkey.renamed', subject: `passkey_${id}` });
}
