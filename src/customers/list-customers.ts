import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { type Customer, selectCustomers, withPlans } from './customer.ts';

/** As in the index `accounts_customers`, which no other one can replace. */
const parent = sql<number>`coalesce(parent_id, 0)`;

/** Lists the account's customers, the latest first; only those before the id `before`, if given. */
export async function listCustomers(
  db: Db,
  accountId: number,
  { before = Number.MAX_SAFE_INTEGER, limit }: { before: number | undefined; limit: number },
): Promise<{ customers: Customer[]; hasMore: boolean }> {
  const rows = await selectCustomers(db)
    .where(sql<boolean>`(${parent} >= ${accountId} and (${parent}, id) < (${accountId}, ${before}))`)
    .orderBy(parent, 'desc')
    .orderBy('id', 'desc')
    .limit(limitInIndexOrder(limit + 1))
    .execute();
  return { customers: await withPlans(db, accountId, rows.slice(0, limit)), hasMore: rows.length > limit };
}
