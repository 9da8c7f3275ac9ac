import { revokeApiKey } from '../api-keys/revoke-api-key.ts';
import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { lockAccount } from '../tenancy/lock-account.ts';

/**
 * Revokes a key at once. `restoreKey` undoes it for 10 minutes, unless the operator revoked it.
 * @throws AppError `not_found`
 */
export async function revokeKey(trx: Trx, accountId: number, keyId: number, by: Actor): Promise<void> {
  await lockAccount(trx, accountId);
  if (!(await revokeApiKey(trx, accountId, { keyId, userId: by.userId }))) return;
  await recordAuditEvent(trx, accountId, by, { action: 'key.revoked', subject: `key_${keyId}` });
}
