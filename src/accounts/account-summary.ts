import type { Addresses } from '../addresses.ts';
import { siteUrl } from '../addresses.ts';
import type { Db } from '../db/database.ts';
import { decimal, revenue } from '../plans/money.ts';
import { primaryHost } from '../sites/primary-host.ts';

/** The result of the account operation. Amounts are decimals with two places. */
export interface AccountSummary {
  id: number;
  name: string;
  url: string;
  createdAt: number;
  planName: string;
  planPrice: string;
  payingCustomers: number;
  freeCustomers: number;
  monthlyRevenue: string;
  quarterlyRevenue: string;
  annualRevenue: string;
}

/**
 * Returns an account's summary. Customers are counted when they change (in `plans.active_customers`), so this takes as long
 * for one customer as for a hundred thousand.
 */
export async function getAccountSummary(db: Db, accountId: number, addresses: Addresses): Promise<AccountSummary> {
  // Uses one statement, so that all numbers are consistent.
  const rows = await db
    .selectFrom('accounts')
    .leftJoin('plans as own', (join) =>
      join.onRef('own.account_id', '=', 'accounts.parent_id').onRef('own.id', '=', 'accounts.plan_id'),
    )
    .leftJoin('plans as sold', 'sold.account_id', 'accounts.id')
    .select((e) => [
      'accounts.id',
      'accounts.name',
      'accounts.subdomain',
      'accounts.created_at',
      'accounts.own_plan_name',
      'accounts.own_plan_price_cents',
      'own.name as plan_name',
      'own.price_cents as plan_price_cents',
      'sold.price_cents',
      'sold.interval',
      'sold.active_customers',
      'sold.trial_customers',
      primaryHost(e),
    ])
    .where('accounts.id', '=', accountId)
    .execute();
  const account = rows[0];
  if (!account) throw new Error(`Account ${accountId} has a key but is not there.`);
  // Customers in their trial count as free.
  const plans = rows.flatMap(({ price_cents, interval, active_customers, trial_customers }) =>
    price_cents === null || interval === null || active_customers === null || trial_customers === null
      ? []
      : [
          { price_cents, interval, active_customers: active_customers - trial_customers },
          { price_cents: 0, interval, active_customers: trial_customers },
        ],
  );
  const count = (wanted: (cents: number) => boolean) =>
    plans.reduce((sum, plan) => sum + (wanted(plan.price_cents) ? plan.active_customers : 0), 0);
  const { monthly, quarterly, annual } = revenue(plans);
  return {
    id: account.id,
    name: account.name,
    url: siteUrl(account, addresses),
    createdAt: account.created_at,
    planName: account.plan_name ?? account.own_plan_name,
    planPrice: decimal(account.plan_price_cents ?? account.own_plan_price_cents),
    payingCustomers: count((cents) => cents > 0),
    freeCustomers: count((cents) => cents === 0),
    monthlyRevenue: monthly,
    quarterlyRevenue: quarterly,
    annualRevenue: annual,
  };
}
