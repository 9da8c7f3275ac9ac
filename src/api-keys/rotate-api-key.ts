import type { Trx } from '../db/database.ts';
import { notFound, ValidationError } from '../errors.ts';
import { issueApiKey, LATEST_END } from './issue-api-key.ts';
import { readScopes } from './scopes.ts';

interface RotateApiKeyInput {
  /** The user in whose name the new key acts, since they see it; undefined for the old key's. */
  userId: number | undefined;
  /** How long the old key still works. */
  overlap: number;
  /**
   * How long the new key is valid, in milliseconds: null for no end, undefined for the period that the old key was
   * issued for.
   */
  lifetime: number | null | undefined;
}

/**
 * Issues a successor of the same name and scopes, and lets the old key work for `overlap` milliseconds more (or until
 * it would have expired anyway), so that clients can change over without an outage.
 * @throws AppError `not_found`; ValidationError when the old key is revoked or expired.
 */
export async function rotateApiKey(
  trx: Trx,
  accountId: number,
  keyId: number,
  { userId, overlap, lifetime }: RotateApiKeyInput,
): Promise<{ id: number; key: string; expiresAt: number | null; oldExpiresAt: number }> {
  const old = await trx
    .selectFrom('api_keys')
    .select(['user_id', 'name', 'expires_at', 'revoked_at', 'lifetime', 'scopes', 'agency_id', 'agent_id'])
    .where('account_id', '=', accountId)
    .where('id', '=', keyId)
    .executeTakeFirst();
  if (!old) throw notFound('The API key');
  const now = Date.now();
  if (old.revoked_at !== null || (old.expires_at !== null && old.expires_at <= now)) {
    throw new ValidationError([{ field: 'key', code: 'already_ended' }]);
  }
  const oldExpiresAt = Math.min(now + overlap, old.expires_at ?? Number.POSITIVE_INFINITY);
  await trx
    .updateTable('api_keys')
    .set({ expires_at: oldExpiresAt })
    .where('account_id', '=', accountId)
    .where('id', '=', keyId)
    .execute();
  // The whole period, not the rest: the key may have been rotated before.
  const wanted = lifetime === undefined ? old.lifetime : lifetime;
  const expiresAt = wanted === null ? null : Math.min(now + wanted, LATEST_END);
  const { name, agency_id, agent_id } = old;
  const scopes = readScopes(old.scopes);
  // One that a person of the account gets to see is the account's own.
  const isAgencys = userId === undefined && agency_id !== null && agent_id !== null;
  const agency = isAgencys ? { id: agency_id, userId: agent_id } : undefined;
  const input = { userId: userId ?? old.user_id, name, expiresAt, scopes, agency };
  const issued = await issueApiKey(trx, accountId, input);
  return { ...issued, expiresAt, oldExpiresAt };
}
