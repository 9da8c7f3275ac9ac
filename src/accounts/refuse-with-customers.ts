import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { idRows } from '../db/json-list.ts';
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
  // The lowest plan is the first entry of an index. To count the customers of each, or to look for any, PostgreSQL may read all accounts.
  const { rows: sellers } = await sql<{ id: number }>`
    select listed.id from ${idRows(trx, sql.val(ids))}
    where (select min(plan_id) from accounts where parent_id = listed.id and deleted_at is null) is not null`.execute(
    trx,
  );
  if (sellers.length === 0) return new Map();
  const counts = await trx
    .selectFrom('accounts')
    .select((e) => ['parent_id as sellerId', e.fn.countAll<number>().as('count')])
    .where(
      'parent_id',
      'in',
      sellers.map(({ id }) => id),
    )
    .where('deleted_at', 'is', null)
    .groupBy('parent_id')
    .$narrowType<{ sellerId: number }>()
    .execute();
  const subdomains = new Map(accounts.map(({ id, subdomain }) => [id, subdomain]));
  return new Map(counts.map(({ sellerId, count }) => [sellerId, refusalOf(subdomains.get(sellerId)!, count)]));
}

function refusalOf(subdomain: string, count: number): Refusal {
  const customers = count === 1 ? 'a customer' : `${count} customers`;
  const message = `"${subdomain}" has ${customers}: see customer list. Delete them first.`;
  return new Refusal('conflict', { reason: 'customer_has_customers' }, { message });
}
