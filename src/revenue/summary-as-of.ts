import type { Db } from '../db/database.ts';
import { decimal, revenue } from '../plans/money.ts';
import { endOfDay } from './days.ts';
import { getTimeZone } from './get-time-zone.ts';
import { getRevenueTotals } from './revenue-totals.ts';

/** The part of an account's summary that the ledger can reconstruct for the past. */
interface PastSummary {
  /** The plan that the account was on; undefined if no ledger says. */
  plan: { planName: string; planPrice: string } | undefined;
  payingCustomers: number;
  freeCustomers: number;
  monthlyRevenue: string;
  quarterlyRevenue: string;
  annualRevenue: string;
}

/** Returns the account's summary as of the end of the day, in its current time zone. */
export async function getSummaryAsOf(db: Db, accountId: number, day: string): Promise<PastSummary> {
  const before = endOfDay(day, await getTimeZone(db, accountId));
  const { annualCents, paying, free } = await getRevenueTotals(db, accountId, before);
  const { monthly, quarterly, annual } = revenue([{ price_cents: annualCents, interval: 'year', active_customers: 1 }]);
  return {
    plan: await findOwnPlan(db, accountId, before),
    payingCustomers: paying,
    freeCustomers: free,
    monthlyRevenue: monthly,
    quarterlyRevenue: quarterly,
    annualRevenue: annual,
  };
}

/** Returns the plan that the account was on as a customer, with its name at that time. A suspended customer stays on its plan. */
async function findOwnPlan(db: Db, accountId: number, before: number): Promise<PastSummary['plan']> {
  const line = await db
    .selectFrom('accounts')
    .innerJoin('plan_changes', (join) =>
      join
        .onRef('plan_changes.account_id', '=', 'accounts.parent_id')
        .onRef('plan_changes.customer_id', '=', 'accounts.id'),
    )
    .select((e) => [
      e.fn.coalesce('to_plan_name', 'from_plan_name').as('name'),
      e.fn.coalesce('to_price_cents', 'from_price_cents').as('cents'),
    ])
    .where('accounts.id', '=', accountId)
    .where('plan_changes.created_at', '<', before)
    .orderBy('plan_changes.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return line?.name == null || line.cents === null
    ? undefined
    : { planName: line.name, planPrice: decimal(line.cents) };
}
