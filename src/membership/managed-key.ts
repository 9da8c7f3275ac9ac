import { includesScopes, type StoredScopes } from '../api-keys/scopes.ts';
import { type Actor, recordAuditEvent, type UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { AppError, notFound } from '../errors.ts';
import { agentName } from '../impersonations/acting-user.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateKey } from './rotate-key.ts';

/**
 * Revokes a key of the account, or one of a customer's account that was issued to it.
 * @throws AppError `not_found`
 */
export async function revokeManagedKey(trx: Trx, accountId: number, keyId: number, by: UserActor): Promise<void> {
  const key = await findKey(trx, accountId, keyId);
  await revokeKey(trx, key.account_id, keyId, await actorIn(trx, accountId, key, by));
  await recordForCustomer(trx, accountId, key, { action: 'customer.key_revoked', keyId }, by);
}

/**
 * Issues the successor of a key of the account, or of one of a customer's account that was issued to it.
 * @throws AppError `not_found`, `conflict`; `forbidden` if the key that asks may do less than that one; ValidationError
 */
export async function rotateManagedKey(
  trx: Trx,
  accountId: number,
  { keyId, overlapMs, granter }: { keyId: number; overlapMs: number | undefined; granter: StoredScopes },
  by: UserActor,
): ReturnType<typeof rotateKey> {
  const key = await findKey(trx, accountId, keyId);
  if (!includesScopes(granter, key.scopes)) throw new AppError('forbidden', 'This API key may do less than that one.');
  const input = { overlapMs, lifetimeMs: undefined };
  const issued = await rotateKey(trx, key.account_id, keyId, input, await actorIn(trx, accountId, key, by));
  await recordForCustomer(trx, accountId, key, { action: 'customer.key_issued', keyId: issued.id }, by);
  return issued;
}

type ManagedKey = Awaited<ReturnType<typeof findKey>>;

async function findKey(trx: Trx, accountId: number, keyId: number) {
  const key = await trx
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(['api_keys.account_id', 'api_keys.scopes', 'accounts.name as accountName'])
    .where('api_keys.id', '=', keyId)
    .where((e) => e.or([e('api_keys.account_id', '=', accountId), e('api_keys.agency_id', '=', accountId)]))
    .executeTakeFirst();
  if (!key) throw notFound('The API key');
  return key;
}

/** Returns the actor as the log of the key's account names them: that of a customer has none of the agency's users. */
async function actorIn(trx: Trx, accountId: number, key: ManagedKey, by: UserActor): Promise<Actor> {
  if (key.account_id === accountId) return by;
  return { userId: null, name: await agentName(trx, accountId, by.name), ip: by.ip };
}

async function recordForCustomer(
  trx: Trx,
  accountId: number,
  { account_id, accountName }: ManagedKey,
  { action, keyId }: { action: string; keyId: number },
  by: UserActor,
): Promise<void> {
  if (account_id === accountId) return;
  const details = { name: accountName, key: `key_${keyId}` };
  await recordAuditEvent(trx, accountId, by, { action, subject: `customer_${account_id}`, details });
}
