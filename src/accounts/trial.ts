import type { Trx } from '../db/database.ts';
import type { PlanRow } from '../plans/plans.ts';
import { dayAt, daysAfter } from '../revenue/days.ts';
import { getTimeZone } from '../revenue/get-time-zone.ts';

/** Whether the customer does not pay yet for the plan. */
export function isInTrial(
  { trial_ends_on }: { trial_ends_on: string | null },
  { price_cents }: Pick<PlanRow, 'price_cents'>,
): boolean {
  return trial_ends_on !== null && price_cents > 0;
}

/** Whether the plan begins with days that cost nothing. */
export function hasTrial({ trial_days, price_cents }: Pick<PlanRow, 'trial_days' | 'price_cents'>): boolean {
  return trial_days > 0 && price_cents > 0;
}

/** Begins the trial of a customer on the plan, which includes today. It is not counted yet. */
export async function beginTrial(
  trx: Trx,
  accountId: number,
  customerId: number,
  plan: Pick<PlanRow, 'trial_days'>,
): Promise<void> {
  const endOf = await trialEnds(trx, accountId);
  await trx
    .updateTable('accounts')
    .set({ trial_ends_on: endOf(plan) })
    .where('id', '=', customerId)
    .execute();
}

/** Returns what tells the day that a plan's trial ends on if it begins today. */
export async function trialEnds(trx: Trx, accountId: number): Promise<(plan: Pick<PlanRow, 'trial_days'>) => string> {
  const today = dayAt(Date.now(), await getTimeZone(trx, accountId));
  return ({ trial_days }) => daysAfter(today, trial_days);
}
