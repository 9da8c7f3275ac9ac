import { type Expression, type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { AppError } from '../errors.ts';
import { agencyMayUse } from './agency-may-use.ts';

/**
 * Checks that the key is still valid and its account not suspended. The body of a request can take minutes to arrive, and
 * may be sent slowly to outlast a revocation. A caller that changes data has already locked the account.
 *
 * These refusals do not count towards `FAILED_KEY_LIMIT`: the key was valid when the request began, so it is no guess. There
 * can be no more of them than requests in progress. The next request with the key counts.
 * @throws AppError `unauthorized`, `suspended`
 */
export async function assertKeyActive(db: Db | Trx, accountId: number, keyId: number): Promise<void> {
  const [key] = await selectStatus(db, { accountId, keyId, now: Date.now() });
  if (!key) throw invalidKey();
  if (key.status === 'suspended') throw accountSuspended();
}

export function invalidKey(): AppError {
  return new AppError('unauthorized', 'Invalid API key.');
}

export function accountSuspended(): AppError {
  return new AppError('suspended', 'Account suspended.');
}

interface KeyOnAccount {
  accountId: Expression<unknown>;
  keyId: Expression<unknown>;
  now: Expression<unknown>;
}

/** Returns the condition that `assertKeyActive` checks, as part of a larger statement. It is true if there is no key. */
export function keyIsActive(key: KeyOnAccount) {
  return sql<SqlBool>`(${key.keyId} is null or (${statusOf(key)}) = 'active')`;
}

/** Returns the query for the status of the key's account. Without the limit, PostgreSQL might read all keys to find one. */
function statusOf({ accountId, keyId, now }: KeyOnAccount) {
  return sql<{ status: 'active' | 'suspended' }>`
    select accounts.status
    from api_keys join accounts on accounts.id = api_keys.account_id
    where api_keys.account_id = ${accountId} and api_keys.id = ${keyId} and api_keys.revoked_at is null
      and (api_keys.expires_at is null or api_keys.expires_at > ${now}) and ${agencyMayUse}
    limit 1`;
}

const selectStatus = prepared<{ accountId: number; keyId: number; now: number }, { status: 'active' | 'suspended' }>(
  (db, parameter) => ({
    compile: () =>
      statusOf({ accountId: parameter('accountId'), keyId: parameter('keyId'), now: parameter('now') }).compile(db),
  }),
);
