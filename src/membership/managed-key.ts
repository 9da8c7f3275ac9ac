import { includesScopes, type StoredScopes } from '../api-keys/scopes.ts';
import { recordAuditEvent, type UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { AppError, notFound } from '../errors.ts';
import { agentName } from '../impersonations/acting-user.ts';
import { actInCustomer } from './act-in-customer.ts';
import { revokeKey } from './revoke-key.ts';
import { revokeKeyAndIssued } from './revoke-key-and-issued.ts';
import { rotateKey } from './rotate-key.ts';

interface ManagedKeyInput {
  keyId: number;
  /** The scopes of the requesting key. */
  granter: StoredScopes;
}

/**
 * Revokes a key of the account, or a key of a customer's account that was issued to the account. `withIssued` is for a key
 * that somebody else may have used (`revokeKeyAndIssued`).
 * @throws AppError `not_found`; `forbidden` if the requesting key has fewer scopes than the key
 */
export async function revokeManagedKey(
  trx: Trx,
  accountId: number,
  { keyId, granter, withIssued = false }: ManagedKeyInput & { withIssued?: boolean },
  by: UserActor,
): Promise<void> {
  const key = await findKey(trx, accountId, { keyId, granter });
  const isOwn = key.account_id === accountId;
  // A key of a customer's account cannot issue keys.
  if (isOwn && withIssued) {
    await revokeKeyAndIssued(trx, accountId, keyId, by);
    return;
  }
  // The customer's log does not name the agency's users as its own.
  const actor = isOwn ? by : { userId: null, name: await agentName(trx, accountId, by.name), ip: by.ip };
  await revokeKey(trx, key.account_id, keyId, actor);
  if (!isOwn) await recordForCustomer(trx, accountId, key, { action: 'customer.key_revoked', keyId }, by);
}

/**
 * Issues the successor of a key of the account, or of a key of a customer's account that was issued to the account. The
 * rules for a new key apply (`issueCustomerKey`).
 * @throws AppError `not_found`, `conflict`; `forbidden` if the requesting key has fewer scopes than the key; ValidationError
 */
export async function rotateManagedKey(
  trx: Trx,
  accountId: number,
  { keyId, granter, ...input }: ManagedKeyInput & { overlapMs: number | undefined; latestEnd: number | null },
  by: UserActor,
): ReturnType<typeof rotateKey> {
  const key = await findKey(trx, accountId, { keyId, granter });
  if (key.account_id === accountId) return rotateKey(trx, accountId, keyId, { ...input, lifetimeMs: undefined }, by);
  const { userId, agency, inCustomer } = await actInCustomer(trx, accountId, key.account_id, by);
  const rotation = { ...input, lifetimeMs: undefined, holder: { userId, agency }, issuedBy: by.keyId };
  const issued = await rotateKey(trx, key.account_id, keyId, rotation, inCustomer);
  await recordForCustomer(trx, accountId, key, { action: 'customer.key_issued', keyId: issued.id }, by);
  return issued;
}

type ManagedKey = Awaited<ReturnType<typeof findKey>>;

async function findKey(trx: Trx, accountId: number, { keyId, granter }: ManagedKeyInput) {
  const key = await trx
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(['api_keys.account_id', 'api_keys.scopes', 'accounts.name as accountName'])
    .where('api_keys.id', '=', keyId)
    .where((e) => e.or([e('api_keys.account_id', '=', accountId), e('api_keys.agency_id', '=', accountId)]))
    .executeTakeFirst();
  if (!key) throw notFound('The API key');
  if (!includesScopes(granter, key.scopes))
    throw new AppError('forbidden', 'Your API key has fewer scopes than the key that you want to change.');
  return key;
}

async function recordForCustomer(
  trx: Trx,
  accountId: number,
  { account_id, accountName }: ManagedKey,
  { action, keyId }: { action: string; keyId: number },
  by: UserActor,
): Promise<void> {
  const details = { name: accountName, key: `key_${keyId}` };
  await recordAuditEvent(trx, accountId, by, { action, subject: `customer_${account_id}`, details });
}
