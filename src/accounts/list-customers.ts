import type { Db } from '../db/database.ts';

/** The account's customers, or with `undefined` those of all, oldest first, each with the plan it is on. */
export function listCustomers(db: Db, accountId: number | undefined) {
  const customers = db
    .selectFrom('accounts')
    .innerJoin('accounts as sellers', 'sellers.id', 'accounts.parent_id')
    .innerJoin('plans', (join) =>
      join.onRef('plans.account_id', '=', 'accounts.parent_id').onRef('plans.id', '=', 'accounts.plan_id'),
    )
    .select([
      'accounts.id',
      'accounts.name',
      'accounts.subdomain',
      'accounts.status',
      'accounts.created_at',
      'sellers.subdomain as seller',
      'plans.id as planId',
      'plans.name as planName',
      'plans.price_cents as planPriceCents',
      'plans.interval as planInterval',
    ])
    .where('accounts.deleted_at', 'is', null)
    .orderBy('accounts.id');
  return (accountId === undefined ? customers : customers.where('accounts.parent_id', '=', accountId)).execute();
}
