import { revokeKeysOfUser } from '../api-keys/revoke-keys-of-user.ts';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import { stopImportsOf } from '../customer-imports/stop-import.ts';
import type { Trx } from '../db/database.ts';
import { stopPushesOf } from '../templates/stop-push.ts';
import { removeUser } from '../users/remove-user.ts';
import type { ActingUser } from '../users/roles.ts';

/**
 * Removes a user from the account and revokes the keys in their name: the user knows these, and could continue to use them.
 * Their imports of customers and pushes of templates stop. For 10 minutes `restoreMember` undoes all but the stops.
 * @throws AppError `not_found`, `forbidden`; `conflict` for the last owner.
 */
export async function removeMember(trx: Trx, accountId: number, userId: number, by: ActingUser): Promise<void> {
  const { name, email } = await removeUser(trx, accountId, { userId, by });
  const keysRevoked = await revokeKeysOfUser(trx, accountId, { userId, by });
  await stopImportsOf(trx, accountId, userId, by);
  await stopPushesOf(trx, accountId, userId, by);
  const details = { name, email, keysRevoked };
  await recordAuditEvent(trx, accountId, by, { action: 'user.removed', subject: `user_${userId}`, details });
}
