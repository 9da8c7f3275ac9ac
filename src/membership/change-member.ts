import { restoreKeysOfUser } from '../api-keys/restore-api-keys.ts';
import { revokeKeysOfUser } from '../api-keys/revoke-keys-of-user.ts';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import { stopImportsOf } from '../customer-imports/stop-import.ts';
import type { Trx } from '../db/database.ts';
import { stopPushesOf } from '../templates/stop-push.ts';
import { changeUser } from '../users/change-user.ts';
import { getUser } from '../users/get-user.ts';
import { type ActingUser, permissionsOf, type Role } from '../users/roles.ts';

interface ChangeMemberInput {
  /** `undefined` leaves the field unchanged. */
  name?: string | undefined;
  role?: string | undefined;
  /** True to restore the keys that the user lost with the former role less than 10 minutes ago. */
  withKeys: boolean;
}

/**
 * Changes the name or role of a user of the account. A user whose new role may not issue keys loses all keys, since a key's
 * power does not depend on its user's role. The user's imports of customers and pushes of templates stop if the new role may
 * not manage customers.
 * @throws AppError `not_found`, `forbidden`, `conflict`; ValidationError
 */
export async function changeMember(
  trx: Trx,
  accountId: number,
  userId: number,
  { withKeys, ...input }: ChangeMemberInput,
  by: ActingUser,
): Promise<void> {
  const { name, role: former } = await changeUser(trx, accountId, userId, input, by.role);
  const { role } = await getUser(trx, accountId, userId);
  const losesKeys = mayIssueKeys(former) && !mayIssueKeys(role);
  const keysRevoked = losesKeys ? await revokeKeysOfUser(trx, accountId, { userId, by }) : 0;
  if (mayManageCustomers(former) && !mayManageCustomers(role)) {
    await stopImportsOf(trx, accountId, userId, by);
    await stopPushesOf(trx, accountId, userId, by);
  }
  const keysRestored = withKeys && mayIssueKeys(role) ? await restoreKeysOfUser(trx, accountId, userId) : 0;
  const details = {
    name: input.name?.trim() ?? name,
    ...(role !== former && { from: former, to: role }),
    ...(keysRevoked > 0 && { keysRevoked }),
    ...(keysRestored > 0 && { keysRestored }),
  };
  await recordAuditEvent(trx, accountId, by, { action: 'user.changed', subject: `user_${userId}`, details });
}

function mayManageCustomers(role: Role): boolean {
  return permissionsOf(role).includes('manage_customers');
}

function mayIssueKeys(role: Role): boolean {
  return permissionsOf(role).includes('update_settings');
}
