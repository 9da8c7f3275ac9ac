import { sql } from 'kysely';
import { type Db, dialectOf } from '../db/database.ts';
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
  const rows = await latestFirst(db, accountId, before)
    .limit(limitInIndexOrder(limit + 1))
    .execute();
  return { customers: await withPlans(db, accountId, rows.slice(0, limit)), hasMore: rows.length > limit };
}

/**
 * Selects the customers in the order of the index. PostgreSQL might go through the ids of all accounts if the seller were
 * not part of the order; SQLite would begin a range of both with the customers of later sellers.
 */
function latestFirst(db: Db, accountId: number, before: number) {
  const customers = selectCustomers(db);
  if (dialectOf(db) === 'sqlite') {
    return customers.where(parent, '=', accountId).where('id', '<', before).orderBy('id', 'desc');
  }
  return customers
    .where(sql<boolean>`(${parent} >= ${accountId} and (${parent}, id) < (${accountId}, ${before}))`)
    .orderBy(parent, 'desc')
    .orderBy('id', 'desc');
}
