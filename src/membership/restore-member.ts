import { restoreKeysOfUser } from '../api-keys/restore-api-keys.ts';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { restoreUser } from '../users/restore-user.ts';
import type { ActingUser } from '../users/roles.ts';

/**
 * Restores a removed user, with the keys that were revoked by the removal.
 * @throws AppError `not_found`, `forbidden`; `conflict` when it is too late, or another user has taken the address.
 */
export async function restoreMember(trx: Trx, accountId: number, userId: number, by: ActingUser): Promise<void> {
  const { name, email } = await restoreUser(trx, accountId, userId, by.role);
  const keysRestored = await restoreKeysOfUser(trx, accountId, userId);
  const details = { name, email, keysRestored };
  await recordAuditEvent(trx, accountId, by, { action: 'user.restored', subject: `user_${userId}`, details });
}
