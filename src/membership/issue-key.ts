import { type IssueApiKeyInput, issueApiKey } from '../api-keys/issue-api-key.ts';
import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { checkKeyCount } from './check-key-count.ts';

/**
 * Issues a key in the name of a user of the account, which the caller has locked. A concurrent removal of that user thus
 * comes before or after it, and revokes all keys that exist by then.
 * @throws ValidationError when the name or the scopes break a rule, or the expiry time is past or too late; AppError
 * `conflict` for too many keys.
 */
export async function issueKey(
  trx: Trx,
  accountId: number,
  input: IssueApiKeyInput,
  by: Actor,
): Promise<{ id: number; key: string }> {
  if (input.expiresAt !== null && input.expiresAt <= Date.now()) {
    throw new ValidationError([{ field: 'expiresAt', code: 'in_the_past' }]);
  }
  if (by.userId !== null) await checkKeyCount(trx, accountId);
  const issued = await issueApiKey(trx, accountId, { issuedBy: by.keyId, ...input });
  const details = { name: input.name.trim(), ...(input.scopes && { scopes: input.scopes }) };
  await recordAuditEvent(trx, accountId, by, { action: 'key.issued', subject: `key_${issued.id}`, details });
  return issued;
}
