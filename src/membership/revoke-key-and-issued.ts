import { type SqlBool, sql } from 'kysely';
import { revokeApiKey } from '../api-keys/revoke-api-key.ts';
import { type Actor, type NamedAuditEvent, recordAuditEvent, recordAuditEvents } from '../audit/record-audit-event.ts';
import { dialectOf, type Trx } from '../db/database.ts';
import { inJsonList } from '../db/json-list.ts';
import { agentName } from '../impersonations/acting-user.ts';
import { lockAccount } from '../tenancy/lock-account.ts';

/**
 * Revokes a key and all keys that it issued, directly or through others, in the account and in its customers' accounts. It
 * is for a key that somebody else may have used. So it cannot be undone, and makes earlier revocations of these keys final
 * as well. Returns the ids of the issued keys that worked until now.
 * @throws AppError `not_found`
 */
export async function revokeKeyAndIssued(trx: Trx, accountId: number, keyId: number, by: Actor): Promise<number[]> {
  await lockAccount(trx, accountId);
  if (await revokeApiKey(trx, accountId, { keyId, userId: null })) {
    await recordAuditEvent(trx, accountId, by, { action: 'key.revoked', subject: `key_${keyId}` });
  }
  const keys = await findIssuedKeys(trx, accountId, keyId);
  if (keys.length === 0) return [];
  await lockCustomers(trx, accountId, keys);
  await dropRemovalsOf(trx, keys);
  const { rows: revoked } = await sql<{ id: number }>`
    update api_keys set revoked_at = ${Date.now()}
    where ${inJsonList(trx, 'id', jsonOf(keys.map(({ id }) => id)), 'bigint')}
      and ${isHeldBy(accountId)} and revoked_at is null
    returning id`.execute(trx);
  const ids = new Set(revoked.map(({ id }) => id));
  // The customers' logs do not name the agency's users as their own.
  const inCustomer =
    by.userId === null ? by : { userId: null, name: await agentName(trx, accountId, by.name), ip: by.ip };
  const events = keys
    .filter(({ id }) => ids.has(id))
    .flatMap(({ id, name, accountId: customerId, accountName }): NamedAuditEvent[] => {
      const event = { action: 'key.revoked', subject: `key_${id}`, details: { name } };
      if (customerId === accountId) return [{ accountId, actor: by, event }];
      const details = { name: accountName, key: `key_${id}` };
      const own = { action: 'customer.key_revoked', subject: `customer_${customerId}`, details };
      return [
        { accountId: customerId, actor: inCustomer, event },
        { accountId, actor: by, event: own },
      ];
    });
  await recordAuditEvents(trx, events);
  return [...ids].toSorted((one, other) => one - other);
}

/**
 * Returns the condition that the account holds a key. The `+` keeps SQLite from using an index of the account, which would
 * read all of its keys for each key.
 */
const isHeldBy = (accountId: number) =>
  sql<SqlBool>`(+api_keys.account_id = ${accountId} or +api_keys.agency_id = ${accountId})`;

type IssuedKey = Awaited<ReturnType<typeof findIssuedKeys>>[number];

/** Returns the keys that this key issued, directly or through others, including revoked ones, ordered by id. */
async function findIssuedKeys(trx: Trx, accountId: number, keyId: number) {
  const { rows } = await sql<{ id: number; name: string; accountId: number; accountName: string }>`
    with recursive issued (id, name, account_id) as (
      select cast(${keyId} as bigint), cast('' as text), cast(${accountId} as bigint)
      union
      select api_keys.id, api_keys.name, api_keys.account_id
      from issued join api_keys on api_keys.issued_by = issued.id
      where ${isHeldBy(accountId)}
    )
    select issued.id, issued.name, accounts.id as "accountId", accounts.name as "accountName"
    from issued join accounts on accounts.id = issued.account_id
    where issued.id <> ${keyId}
    order by issued.id`.execute(trx);
  return rows;
}

/** Locks the accounts of the keys, and then the keys, in the order of all other transactions. */
async function lockCustomers(trx: Trx, accountId: number, keys: readonly IssuedKey[]): Promise<void> {
  if (dialectOf(trx) === 'sqlite') return;
  const accounts = jsonOf(keys.map((key) => key.accountId).filter((id) => id !== accountId));
  await sql`
    select id from accounts where ${inJsonList(trx, 'id', accounts, 'bigint')} order by id for no key update`.execute(
    trx,
  );
  await sql`
    select id from api_keys
    where ${inJsonList(trx, 'id', jsonOf(keys.map(({ id }) => id)), 'bigint')}
      and ${isHeldBy(accountId)}
    order by id for no key update`.execute(trx);
}

/** Makes the removals of the keys final: otherwise a key could be restored with its user, or by undoing its own revocation. */
async function dropRemovalsOf(trx: Trx, keys: readonly IssuedKey[]): Promise<void> {
  await sql`
    delete from removals
    where ${inJsonList(trx, 'account_id', jsonOf(keys.map(({ accountId }) => accountId)), 'bigint')} and kind = 'key'
      and ${inJsonList(trx, 'subject_id', jsonOf(keys.map(({ id }) => id)), 'bigint')}`.execute(trx);
}

const jsonOf = (ids: readonly number[]) => sql<string>`${JSON.stringify([...new Set(ids)])}`;
