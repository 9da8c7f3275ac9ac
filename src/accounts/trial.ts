import type { Trx } from '../db/database.ts';
import type { PlanRow } from '../plans/plans.ts';
import { dayAt, daysAfter } from '../revenue/days.ts';
import { getTimeZone } from '../revenue/get-time-zone.ts';

/** Returns true if the customer does not pay for the plan yet. */
export function isInTrial(
  { trial_ends_on }: { trial_ends_on: string | null },
  { price_cents }: Pick<PlanRow, 'price_cents'>,
): boolean {
  return trial_ends_on !== null && price_cents > 0;
}

/** Returns true if the plan begins with a free trial. */
export function hasTrial({ trial_days, price_cents }: Pick<PlanRow, 'trial_days' | 'price_cents'>): boolean {
  return trial_days > 0 && price_cents > 0;
}

/** Starts the customer's trial of the plan. Today is its first day. The caller updates the counts. */
export async function beginTrial(
  trx: Trx,
  accountId: number,
  customerId: number,
  plan: Pick<PlanRow, 'trial_days'>,
): Promise<void> {
  const trialEndOf = await trialEnds(trx, accountId);
  await trx
    .updateTable('accounts')
    .set({ trial_ends_on: trialEndOf(plan) })
    .where('id', '=', customerId)
    .execute();
}

/** Returns a function that computes the first day on which a customer pays for a plan whose trial begins today. */
export async function trialEnds(trx: Trx, accountId: number): Promise<(plan: Pick<PlanRow, 'trial_days'>) => string> {
  const today = dayAt(Date.now(), await getTimeZone(trx, accountId));
  return ({ trial_days }) => daysAfter(today, trial_days);
}
