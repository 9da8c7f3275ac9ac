import { restoreApiKey } from '../api-keys/restore-api-keys.ts';
import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';

/**
 * Restores a key that was revoked less than 10 minutes ago, and not with its user.
 * @throws AppError `not_found`; `conflict` when it is too late.
 */
export async function restoreKey(trx: Trx, accountId: number, keyId: number, by: Actor): Promise<void> {
  await restoreApiKey(trx, accountId, keyId);
  await recordAuditEvent(trx, accountId, by, { action: 'key.restored', subject: `key_${keyId}` });
}
