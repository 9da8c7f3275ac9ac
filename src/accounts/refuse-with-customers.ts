import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { idRows } from '../db/json-list.ts';
import { lookupJoin } from '../db/lookup-join.ts';
import { Refusal } from '../refusal.ts';

interface Seller {
  readonly id: number;
  readonly subdomain: string;
}

/** @throws AppError `conflict` if the account has customers. */
export async function refuseWithCustomers(trx: Trx, accountId: number, subdomain: string): Promise<void> {
  const refusal = (await findRefusals(trx, [{ id: accountId, subdomain }])).get(accountId);
  if (refusal) throw refusal;
}

/**
 * Returns for each of the accounts that has customers why it cannot be deleted. The accounts are locked, so that nobody of them can
 * add any.
 */
export async function findRefusals(trx: Trx, accounts: readonly Seller[]): Promise<Map<number, Refusal>> {
  if (accounts.length === 0) return new Map();
  const ids = JSON.stringify(accounts.map(({ id }) => id));
  const isCustomer = sql`accounts.parent_id = listed.id and accounts.deleted_at is null`;
  const { rows: counts } = await sql<{ sellerId: number; count: number }>`
    select listed.id as "sellerId", count(*) as count
    from ${idRows(trx, sql.val(ids))} ${lookupJoin(trx, 'accounts', isCustomer)} group by listed.id`.execute(trx);
  const subdomains = new Map(accounts.map(({ id, subdomain }) => [id, subdomain]));
  return new Map(counts.map(({ sellerId, count }) => [sellerId, refusalOf(subdomains.get(sellerId)!, count)]));
}

function refusalOf(subdomain: string, count: number): Refusal {
  const customers = count === 1 ? 'a customer' : `${count} customers`;
  const message = `"${subdomain}" has ${customers}: see customer list. Delete them first.`;
  return new Refusal('conflict', { reason: 'customer_has_customers' }, { message });
}
