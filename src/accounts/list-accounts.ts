import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { isNullInIndexOrder, limitInIndexOrder } from '../db/index-order.ts';

export interface ListedAccount {
  id: number;
  name: string;
  subdomain: string;
  status: 'active' | 'suspended';
  created_at: number;
  /** The subdomain of the account's seller; null at the top level. */
  seller: string | null;
  planName: string;
  planPriceCents: number;
  /** The number of the account's customers, whatever their status. */
  customers: number;
}

/** Returns accounts, oldest first: all, or only those at the top level. Returns at most `limit`, with ids above `after`. */
export function listAccounts(
  db: Db,
  { all, after, limit }: { all: boolean; after: number; limit: number },
): Promise<ListedAccount[]> {
  let query = db
    .selectFrom('accounts')
    .leftJoin('accounts as sellers', 'sellers.id', 'accounts.parent_id')
    .leftJoin('plans', (join) =>
      join.onRef('plans.account_id', '=', 'accounts.parent_id').onRef('plans.id', '=', 'accounts.plan_id'),
    )
    .select((e) => [
      'accounts.id',
      'accounts.name',
      'accounts.subdomain',
      'accounts.status',
      'accounts.created_at',
      'sellers.subdomain as seller',
      e.fn.coalesce('plans.name', 'accounts.own_plan_name').as('planName'),
      e.fn.coalesce('plans.price_cents', 'accounts.own_plan_price_cents').as('planPriceCents'),
      sql<number>`(select count(*) from accounts as customers where customers.parent_id = accounts.id
        and customers.deleted_at is null)`.as('customers'),
    ])
    .where(isNullInIndexOrder('accounts.deleted_at'))
    .where('accounts.id', '>', after)
    .orderBy('accounts.id')
    .limit(limitInIndexOrder(limit));
  if (!all) query = query.where('accounts.parent_id', 'is', null);
  return query.execute();
}
