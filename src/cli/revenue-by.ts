import { decimal, monthlyDecimal } from '../plans/money.ts';
import { getCohorts } from '../revenue/get-cohorts.ts';
import { getRevenueByPlan } from '../revenue/get-revenue-by-plan.ts';
import { commandOfAccount } from './command.ts';
import { formatPlanId } from './find-by-name.ts';
import { table } from './output.ts';
import { byOption, dayOptions, readDays, readStep } from './revenue-options.ts';

export const plans = commandOfAccount({
  about: 'Shows the revenue of each plan of an account at the end of a day, and before the period.',
  options: dayOptions,
  example: '--account acme --from 2026-06-01 --as-of 2026-06-30',
  async run({ db, account: { id }, values }) {
    const days = await readDays(db, id, values);
    const plans = await getRevenueByPlan(db, id, days);
    const head = ['PLAN', 'NAME', 'MRR BEFORE', 'MRR', 'PAYING', 'FREE'];
    const rows = plans.map((plan) => [
      formatPlanId(plan.planId),
      plan.name,
      monthlyDecimal(plan.start.annualCents),
      monthlyDecimal(plan.end.annualCents),
      String(plan.end.paying),
      String(plan.end.free),
    ]);
    return {
      text: table(head, rows, 'There are no plans.'),
      json: {
        from: days.from,
        as_of: days.to,
        plans: plans.map(({ planId: plan, name, start, end }) => ({
          id: formatPlanId(plan),
          name,
          arr_before: decimal(start.annualCents),
          mrr: monthlyDecimal(end.annualCents),
          arr: decimal(end.annualCents),
          paying_customers: end.paying,
          free_customers: end.free,
        })),
      },
    };
  },
});

export const cohorts = commandOfAccount({
  about:
    'Shows how many of the customers who came in each period are still active at the end of a day, and what they pay.',
  options: { ...dayOptions, ...byOption },
  example: '--account acme --by quarter',
  async run({ db, account: { id }, values }) {
    const step = readStep(values.by);
    const days = await readDays(db, id, values, step);
    const cohorts = await getCohorts(db, id, days, step);
    const rows = cohorts.map(({ from, to, count, activeCount, annualCents }) => [
      from,
      to,
      String(count),
      String(activeCount),
      monthlyDecimal(annualCents),
    ]);
    return {
      text: table(['FROM', 'TO', 'CAME', 'ACTIVE', 'MRR'], rows, ''),
      json: {
        as_of: days.to,
        cohorts: cohorts.map(({ from, to, count, activeCount, annualCents }) => ({
          from,
          to,
          customers: count,
          active_customers: activeCount,
          mrr: monthlyDecimal(annualCents),
          arr: decimal(annualCents),
        })),
      },
    };
  },
});
