import { recordAuditEvent, type UserActor } from '../../audit/record-audit-event.ts';
import { violatedUniqueRule } from '../../db/constraint.ts';
import type { Trx } from '../../db/database.ts';
import { notFound } from '../../errors.ts';
import { Refusal } from '../../refusal.ts';
import { takeRemoval } from '../../removals/removals.ts';
import type { MailSettings } from '../forgotten-password.ts';
import { sendSecurityNotice } from '../send-security-notice.ts';

/**
 * Restores a passkey that the user removed, and tells the user by mail. Only the session that removed it can restore it: an
 * intruder whose passkey the user removes must not be able to.
 * @throws AppError `not_found`; `conflict` when it is too late, or the passkey was registered again.
 */
export async function restorePasskey(
  trx: Trx,
  accountId: number,
  { sessionId, id }: { sessionId: number; id: number },
  by: UserActor,
  settings: MailSettings,
): Promise<void> {
  const { row, ...removal } = await takeRemoval(trx, accountId, 'passkey', id);
  if (row.user_id !== by.userId || removal.sessionId !== sessionId) throw notFound('The removed passkey');
  try {
    await trx.insertInto('passkeys').values(row).execute();
  } catch (error) {
    if (violatedUniqueRule(error) !== 'passkeys_credential') throw error;
    throw new Refusal('conflict', { reason: 'passkey_exists' });
  }
  await recordAuditEvent(trx, accountId, by, { action: 'passkey.restored', subject: `passkey_${id}` });
  await sendSecurityNotice(trx, accountId, { kind: 'passkey restored', name: row.name }, by, settings);
}
