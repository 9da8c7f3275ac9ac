import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { validateLabel } from '../name.ts';
import { hashApiKey, newApiKey } from './api-key.ts';
import { storeScopes } from './scopes.ts';

export interface IssueApiKeyInput {
  /** The user in whose name the key acts. */
  userId: number;
  name: string;
  /** Milliseconds since 1970; null for a key that does not expire. */
  expiresAt: number | null;
  /** The key's scopes; null or undefined for unrestricted access. */
  scopes?: readonly string[] | null | undefined;
  /** The seller of the account and its user, if the key is issued to them. */
  agency?: { id: number; userId: number } | undefined;
  /** The key that issues this one, if a program does; undefined for a user or the operator. */
  issuedBy?: number | undefined;
}

/**
 * The latest expiry time, which every calendar can show: the end of the year 9999. Far beyond it, numbers are no longer
 * exact.
 */
export const LATEST_END = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Issues a key and returns it. The key cannot be read again: the database has only its hash and last four characters.
 * @throws ValidationError when the name or the scopes break a rule, or the expiry time is too late.
 */
export async function issueApiKey(
  trx: Trx,
  accountId: number,
  { userId, name, expiresAt, scopes = null, agency, issuedBy }: IssueApiKeyInput,
): Promise<{ id: number; key: string }> {
  const label = name.trim();
  const problem = validateLabel(label);
  if (problem) throw new ValidationError([{ field: 'name', ...problem }]);
  if (expiresAt !== null && expiresAt > LATEST_END)
    throw new ValidationError([{ field: 'expiresAt', code: 'not_a_time' }]);
  const storedScopes = storeScopes(scopes);
  const key = newApiKey();
  const now = Date.now();
  const { id } = await trx
    .insertInto('api_keys')
    .values({
      account_id: accountId,
      user_id: userId,
      name: label,
      hash: hashApiKey(key),
      last4: key.slice(-4),
      created_at: now,
      expires_at: expiresAt,
      revoked_at: null,
      last_used_at: null,
      lifetime: expiresAt === null ? null : expiresAt - now,
      scopes: storedScopes,
      agency_id: agency?.id ?? null,
      agent_id: agency?.userId ?? null,
      issued_by: issuedBy ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, key };
}
