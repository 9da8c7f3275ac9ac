import type { Trx } from '../db/database.ts';
import { notFound, ValidationError } from '../errors.ts';
import { issueApiKey, LATEST_END } from './issue-api-key.ts';
import { readScopes } from './scopes.ts';

interface RotateApiKeyInput {
  /** The user in whose name the new key acts, since they see it; undefined for the user of the old key. */
  userId: number | undefined;
  /** How long the old key still works. */
  overlap: number;
  /**
   * How long the new key is valid, in milliseconds; null for no end, undefined for the period for which the old key was
   * issued.
   */
  lifetime: number | null | undefined;
  /** The latest time at which the new key expires; null for no limit. */
  latestEnd?: number | null;
  /** The seller of the account and its user, if the new key is issued to them. */
  agency?: { id: number; userId: number } | undefined;
  /** The key that rotates this one, if a program does; undefined for a user or the operator. */
  issuedBy?: number | undefined;
}

/**
 * Issues a successor with the same name and scopes. The old key works for `overlap` milliseconds more, or until it would
 * have expired anyway, so that clients can switch without an outage.
 * @throws AppError `not_found`; ValidationError when the old key is revoked or expired.
 */
export async function rotateApiKey(
  trx: Trx,
  accountId: number,
  keyId: number,
  { userId, overlap, lifetime, latestEnd = null, agency, issuedBy }: RotateApiKeyInput,
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
  // The whole period, not the remaining one: the key may have been rotated before.
  const wanted = lifetime === undefined ? old.lifetime : lifetime;
  const ends = [wanted === null ? null : now + wanted, latestEnd].filter((end) => end !== null);
  const expiresAt = ends.length === 0 ? null : Math.min(...ends, LATEST_END);
  const { name, agency_id, agent_id } = old;
  // After the operator's rotation, the key stays with its earlier holder.
  const former = agency_id === null || agent_id === null ? undefined : { id: agency_id, userId: agent_id };
  const scopes = readScopes(old.scopes);
  const holder = userId === undefined ? { userId: old.user_id, agency: former } : { userId, agency };
  const issued = await issueApiKey(trx, accountId, { ...holder, name, expiresAt, scopes, issuedBy });
  return { ...issued, expiresAt, oldExpiresAt };
}
