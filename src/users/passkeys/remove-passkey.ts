import { recordAuditEvent, type UserActor } from '../../audit/record-audit-event.ts';
import type { Trx } from '../../db/database.ts';
import { notFound } from '../../errors.ts';
import { recordRemoval } from '../../removals/removals.ts';
import type { MailSettings } from '../forgotten-password.ts';
import { sendSecurityNotice } from '../send-security-notice.ts';

/**
 * Removes one of the user's passkeys. Sessions that it started continue. The session that removed it can restore it for 10
 * minutes. Returns true if the user is told by mail.
 * @throws AppError `not_found`
 */
export async function removePasskey(
  trx: Trx,
  accountId: number,
  { sessionId, id }: { sessionId: number; id: number },
  by: UserActor,
  settings: MailSettings,
): Promise<boolean> {
  const { userId } = by;
  const row = await trx
    .deleteFrom('passkeys')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw notFound('The passkey');
  await recordRemoval(trx, accountId, { kind: 'passkey', subjectId: id, userId, payload: { row, sessionId } });
  const { name } = row;
  await recordAuditEvent(trx, accountId, by, {
    action: 'passkey.removed',
    subject: `passkey_${id}`,
    details: { name },
  });
  return sendSecurityNotice(trx, accountId, { kind: 'passkey removed', name }, by, settings);
}
