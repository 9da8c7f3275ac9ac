import { recordAuditEvent, type UserActor } from '../../audit/record-audit-event.ts';
import { violatedUniqueRule } from '../../db/constraint.ts';
import type { Trx } from '../../db/database.ts';
import { notFound } from '../../errors.ts';
import { Refusal } from '../../refusal.ts';
import { takeRemoval } from '../../removals/removals.ts';
import type { MailSettings } from '../forgotten-password.ts';
import { sendSecurityNotice } from '../send-security-notice.ts';

/**
 * Restores a passkey that the user removed. Only the session that removed it can: a user who removes an intruder's
 * passkey must not have them restore it. The user is told by mail.
 * @throws AppError `not_found`; `conflict` when it is too late, or the passkey was made anew.
 */
export async function restorePasskey(
  trx: Trx,
  accountId: number,
  { sessionId, id }: { sessionId: number; id: number },
  by: UserActor,
  settings: MailSettings,
): Promise<void> {
  const { row, ...removal } = await takeRemoval(trx, accountId, 'passkey', id);
  if (row.user_id !== by.userId || removal.sessionId !== sessionId) throw notFound('What was removed');
  try {
    await trx.insertInto('passkeys').values(row).execute();
  } catch (error) {
    if (violatedUniqueRule(error) !== 'passkeys_credential') throw error;
    throw new Refusal('conflict', { reason: 'passkey_exists' });
  }
  await recordAuditEvent(trx, accountId, by, { action: 'passkey.restored', subject: `passkey_${id}` });
  await sendSecurityNotice(trx, accountId, { kind: 'passkey restored', name: row.name }, by, settings);
}
