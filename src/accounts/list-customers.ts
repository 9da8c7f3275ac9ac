import type { Db } from '../db/database.ts';

/** The account's customers, oldest first, each with the plan it is on. */
export function listCustomers(db: Db, accountId: number) {
  return db
    .selectFrom('accounts')
    .innerJoin('plans', (join) =>
      join.onRef('plans.account_id', '=', 'accounts.parent_id').onRef('plans.id', '=', 'accounts.plan_id'),
    )
    .select([
      'accounts.id',
      'accounts.name',
      'accounts.subdomain',
      'accounts.status',
      'accounts.created_at',
      'plans.id as planId',
      'plans.name as planName',
      'plans.price_cents as planPriceCents',
      'plans.interval as planInterval',
    ])
    .where('accounts.parent_id', '=', accountId)
    .orderBy('accounts.id')
    .execute();
}
