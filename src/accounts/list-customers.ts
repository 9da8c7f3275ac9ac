import type { NotNull } from 'kysely';
import type { Db } from '../db/database.ts';
import { isNotNullInIndexOrder, isNullInIndexOrder, limitInIndexOrder } from '../db/index-order.ts';

export type ListedCustomer = Awaited<ReturnType<typeof listCustomers>>[number];

/**
 * Returns the customers of all accounts, oldest first, including deleted ones that can be restored: at most `limit`, with
 * ids above `after`. There is no such query for one account: no index has its customers in this order, so PostgreSQL would
 * sort all of them for each page. Every customer has a seller and a plan; the outer joins keep PostgreSQL from starting with
 * those tables.
 */
export function listCustomers(db: Db, { after, limit }: { after: number; limit: number }) {
  return db
    .selectFrom('accounts')
    .leftJoin('accounts as sellers', 'sellers.id', 'accounts.parent_id')
    .leftJoin('plans', (join) =>
      join.onRef('plans.account_id', '=', 'accounts.parent_id').onRef('plans.id', '=', 'accounts.plan_id'),
    )
    .select([
      'accounts.id',
      'accounts.name',
      'accounts.subdomain',
      'accounts.status',
      'accounts.deletes_at',
      'accounts.created_at',
      'accounts.parent_id as sellerId',
      'sellers.subdomain as seller',
      'sellers.currency',
      'plans.id as planId',
      'plans.name as planName',
      'plans.price_cents as planPriceCents',
      'plans.interval as planInterval',
    ])
    .where(isNotNullInIndexOrder('accounts.parent_id'))
    .where(isNullInIndexOrder('accounts.deleted_at'))
    .where('accounts.id', '>', after)
    .orderBy('accounts.id')
    .limit(limitInIndexOrder(limit))
    .$narrowType<{
      sellerId: NotNull;
      seller: NotNull;
      planId: NotNull;
      planName: NotNull;
      planPriceCents: NotNull;
      planInterval: NotNull;
    }>()
    .execute();
}
