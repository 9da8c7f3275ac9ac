import type { Db } from '../db/database.ts';
import { listPlans } from '../plans/plans.ts';
import { beginningOfReport, isDay, today } from '../revenue/days.ts';
import { getTimeZone } from '../revenue/get-time-zone.ts';
import { type Days, type RevenueStep, revenueSteps } from '../revenue/revenue-report.ts';
import { OptionError } from './command.ts';
import { findPlan } from './find-by-name.ts';

/* The options that several revenue commands share. */

export const dayOptions = {
  from: {
    type: 'string',
    value: 'YYYY-MM-DD',
    about: 'The first day. Default: the beginning of twelve months, eight quarters or five years.',
  },
  'as-of': { type: 'string', value: 'YYYY-MM-DD', about: 'The last day. Default: today.' },
} as const;

export const byOption = {
  by: { type: 'string', value: revenueSteps.join('|'), about: 'The length of the periods. Default: month.' },
} as const;

export const planOption = {
  plan: { type: 'string', value: 'PLAN', about: 'Only the revenue of this plan, by its name or id (plan_3).' },
} as const;

export function readStep(by = 'month'): RevenueStep {
  const step = revenueSteps.find((known) => known === by);
  if (!step) throw new OptionError('by', `must be one of: ${revenueSteps.join(', ')}`);
  return step;
}

/** Returns the id of the plan that the option names; undefined without the option. */
export async function findRevenuePlan(
  db: Db,
  accountId: number,
  plan: string | undefined,
): Promise<number | undefined> {
  return plan === undefined ? undefined : findPlan(await listPlans(db, accountId), plan).id;
}

export async function readDays(
  db: Db,
  accountId: number,
  values: { from: string | undefined; 'as-of': string | undefined },
  step: RevenueStep = 'month',
): Promise<Days> {
  const to = values['as-of'] ?? today(await getTimeZone(db, accountId));
  if (!isDay(to)) throw new OptionError('as-of', 'is not a day like 2026-06-30');
  const from = values.from ?? beginningOfReport(to, step);
  if (!isDay(from)) throw new OptionError('from', 'is not a day like 2026-06-30');
  if (from > to) throw new OptionError('from', `is after ${to}`);
  return { from, to };
}
