import type { Db } from '../db/database.ts';
import { latestFirst, limitInIndexOrder } from '../db/index-order.ts';
import { type Customer, customerOf, selectCustomers } from './customer.ts';

/** Lists the account's customers, the latest first; only those before the id `before`, if given. */
export async function listCustomers(
  db: Db,
  accountId: number,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<{ customers: Customer[]; hasMore: boolean }> {
  const order = latestFirst('accounts', accountId, before, 'parent_id');
  const rows = await selectCustomers(db)
    .where(order.where)
    .orderBy(order.account, 'desc')
    .orderBy(order.id, 'desc')
    .limit(limitInIndexOrder(limit + 1))
    .execute();
  return { customers: rows.slice(0, limit).map(customerOf), hasMore: rows.length > limit };
}
