import type { Db } from '../../db/database.ts';
import { AppError, notFound } from '../../errors.ts';
import { parseId } from '../../parse-id.ts';
import { getPlan } from '../../plans/plans.ts';
import { readRevenueDays } from '../../revenue/read-revenue-days.ts';
import { type Days, type RevenueStep, revenueSteps } from '../../revenue/revenue-report.ts';
import { wrongParameter } from './answers.ts';
import { textSchema } from './json-schema.ts';
import { oneValue } from './query-parameters.ts';

/*
 * The query parameters of the revenue reports.
 */

export const dayParameters = {
  from: {
    ...textSchema(
      "The first day, in the account's time zone. By default, a report has twelve months, eight quarters or five years.",
      '2026-01-01',
    ),
    format: 'date',
  },
  to: {
    ...textSchema('The last day; today by default. At most ten years after the first.', '2026-06-30'),
    format: 'date',
  },
} as const;

export const stepParameter = {
  step: { ...textSchema('The length of the periods; `month` by default.', 'quarter'), enum: revenueSteps },
} as const;

export const planParameter = { plan_id: textSchema('Only the revenue of this plan.', 'plan_3') } as const;

export const wrongDay = wrongParameter('"from" must be a day like 2026-06-30.');

/** Reads `from`, `to` and `step`. @throws AppError `malformed` */
export async function readDays(db: Db, accountId: number, query: string): Promise<{ days: Days; step: RevenueStep }> {
  const wanted = oneValue(query, 'step') ?? 'month';
  const step = revenueSteps.find((known) => known === wanted);
  if (step === undefined) throw new AppError('malformed', `"step" must be one of ${revenueSteps.join(', ')}.`);
  const [from, to] = [oneValue(query, 'from'), oneValue(query, 'to')];
  return { days: await readRevenueDays(db, accountId, { from, to, step }), step };
}

/** Reads `plan_id`. @throws AppError `not_found` if the account does not have the plan */
export async function readPlanId(db: Db, accountId: number, query: string): Promise<number | undefined> {
  const plan = oneValue(query, 'plan_id');
  if (plan === undefined) return undefined;
  const planId = parseId('plan', plan);
  if (planId === undefined) throw notFound('The plan');
  return (await getPlan(db, accountId, planId)).id;
}
