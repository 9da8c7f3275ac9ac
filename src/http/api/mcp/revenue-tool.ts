import { AppError, notFound } from '../../../errors.ts';
import { getCurrency } from '../../../plans/get-currency.ts';
import { decimal, monthlyDecimal } from '../../../plans/money.ts';
import { getPlan } from '../../../plans/plans.ts';
import { revenueMovements } from '../../../plans/revenue-movement.ts';
import { readRevenueDays } from '../../../revenue/read-revenue-days.ts';
import { getRevenueReport, type RevenuePeriod, revenueSteps } from '../../../revenue/revenue-report.ts';
import type { RevenueTotals } from '../../../revenue/revenue-totals.ts';
import { parseId } from '../ids.ts';
import { tool } from './tool.ts';

const day = (description: string) =>
  ({ required: false, schema: { type: 'string', format: 'date', description } }) as const;

export const getRevenueTool = tool({
  name: 'get_revenue',
  title: 'Read recurring revenue',
  description:
    "What the customers' plans bring in, at both ends of a range of days and of each period in it, and what moved in between: new, expansion, contraction, churn and reactivation. Amounts are decimals in the account's currency; mrr is the revenue of a month.",
  scope: 'revenue:read',
  effect: 'reads',
  parameters: {
    from: day('The first day, like 2026-01-01. If not given, a year or more before the last.'),
    to: day('The last day; today if not given. At most ten years after the first.'),
    step: {
      required: false,
      schema: { type: 'string', enum: revenueSteps, description: 'The length of the periods; month if not given.' },
    },
    plan_id: {
      required: false,
      schema: { type: 'string', description: 'Only the revenue of this plan, like plan_3.' },
    },
  },
  run: async ({ db }, { caller: { accountId }, args: { from, to, step: wanted = 'month', plan_id: plan } }) => {
    const step = revenueSteps.find((known) => known === wanted);
    if (step === undefined) throw new AppError('malformed', `"step" must be one of ${revenueSteps.join(', ')}.`);
    const planId = plan === undefined ? undefined : parseId('plan', plan);
    if (plan !== undefined && planId === undefined) throw notFound('The plan');
    if (planId !== undefined) await getPlan(db, accountId, planId);
    const days = await readRevenueDays(db, accountId, { from, to, step });
    const report = await getRevenueReport(db, accountId, days, step, planId);
    const currency = await getCurrency(db, accountId);
    const periods = report.periods.map(periodJson);
    return { time_zone: report.timeZone, currency, step, ...periodJson(report), periods };
  },
});

function periodJson({ from, to, start, end, movements }: RevenuePeriod) {
  const amounts = revenueMovements.map((kind) => {
    const { annualCents, count } = movements[kind];
    return [kind, { mrr: monthlyDecimal(annualCents), customers_count: count }];
  });
  return { from, to, start: totalsJson(start), end: totalsJson(end), movements: Object.fromEntries(amounts) };
}

function totalsJson({ annualCents, paying, free }: RevenueTotals) {
  return {
    mrr: monthlyDecimal(annualCents),
    annual_revenue: decimal(annualCents),
    paying_customers_count: paying,
    free_customers_count: free,
  };
}
