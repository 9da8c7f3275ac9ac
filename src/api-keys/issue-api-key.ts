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
  /** The key's scopes; null or undefined for a key that may do everything. */
  scopes?: readonly string[] | null | undefined;
  /** The seller of the account and its user, if it is they who get the key. */
  agency?: { id: number; userId: number } | undefined;
  /** The key of the program that issues it; undefined if a person or the operator does. */
  issuedBy?: number | undefined;
}

/** The last moment that every calendar can show: the year 9999. Far beyond it, numbers are not exact any more. */
export const LATEST_END = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Issues a key and returns it. This is the only time it is seen: the database has its hash and last four characters.
 * @throws ValidationError when the name or the scopes break a rule, or the end is too far away.
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
