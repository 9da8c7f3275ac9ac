import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/**
 * Reads the account's customers, or with `undefined` those of all, oldest first, each with the plan it is on. From after an
 * id on, and at most `limit`.
 */
export function listCustomers(
  db: Db,
  accountId: number | undefined,
  { after, limit }: { after: number; limit: number },
) {
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
    .where('accounts.id', '>', after)
    .orderBy('accounts.id')
    .limit(limit);
  if (accountId === undefined) return customers.execute();
  // `+` keeps the databases from sorting all of the account's customers for each part.
  return customers.where(sql<boolean>`+accounts.parent_id = ${accountId}`).execute();
}
