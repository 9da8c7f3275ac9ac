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

/** Begins the trials of customers on the plan, which include today. They are not counted yet. */
export async function beginTrials(
  trx: Trx,
  accountId: number,
  customerIds: readonly number[],
  { trial_days }: Pick<PlanRow, 'trial_days'>,
): Promise<void> {
  const today = dayAt(Date.now(), await getTimeZone(trx, accountId));
  await trx
    .updateTable('accounts')
    .set({ trial_ends_on: daysAfter(today, trial_days) })
    .where('id', 'in', customerIds)
    .execute();
}

/** A trial is for a customer's first plan that has a price: returns whether it has been on one. */
export async function hasHadPrice(trx: Trx, accountId: number, customerId: number): Promise<boolean> {
  const line = await trx
    .selectFrom('plan_changes')
    .select('id')
    .where('account_id', '=', accountId)
    .where('customer_id', '=', customerId)
    .where('to_price_cents', '>', 0)
    .limit(1)
    .executeTakeFirst();
  return line !== undefined;
}
