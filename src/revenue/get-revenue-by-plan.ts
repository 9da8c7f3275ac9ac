import type { Db } from '../db/database.ts';
import { listPlans } from '../plans/plans.ts';
import { type Days, getRevenueEnds } from './revenue-report.ts';
import type { RevenueTotals } from './revenue-totals.ts';

/** The revenue totals of one plan at both ends of the days. */
export interface PlanRevenue {
  planId: number;
  /** The plan's current name. */
  name: string;
  start: RevenueTotals;
  end: RevenueTotals;
}

/**
 * Returns the revenue of each plan that has ever had a customer, in the order of the plans. Their sum is the account's
 * revenue.
 */
export async function getRevenueByPlan(db: Db, accountId: number, days: Days): Promise<PlanRevenue[]> {
  const plans: PlanRevenue[] = [];
  for (const { id, name } of await listPlans(db, accountId)) {
    const ends = await getRevenueEnds(db, accountId, days, id);
    if (ends.end.lineId > 0) plans.push({ planId: id, name, ...ends });
  }
  return plans;
}
