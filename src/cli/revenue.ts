import { decimal, monthlyDecimal } from '../plans/money.ts';
import { revenueMovements } from '../plans/revenue-movement.ts';
import type { RevenueRates } from '../revenue/revenue-rates.ts';
import { getRevenueReport } from '../revenue/revenue-report.ts';
import { type Movements, type RevenueTotals, sumMovements } from '../revenue/revenue-totals.ts';
import { commandOfAccount, type Group } from './command.ts';
import { facts, table } from './output.ts';
import { cohorts, plans } from './revenue-by.ts';
import { customers } from './revenue-customers.ts';
import { forecast } from './revenue-forecast.ts';
import { byOption, dayOptions, findRevenuePlan, planOption, readDays, readStep } from './revenue-options.ts';

const show = commandOfAccount({
  about: "Shows an account's recurring revenue at the end of a day, and its movements by month, quarter or year.",
  details: "Days are those of the account's time zone.",
  options: {
    ...dayOptions,
    ...byOption,
    ...planOption,
  },
  example: '--account acme --as-of 2026-06-30',
  async run({ db, account: { id }, values }) {
    const step = readStep(values.by);
    const planId = await findRevenuePlan(db, id, values.plan);
    const report = await getRevenueReport(db, id, await readDays(db, id, values, step), step, planId);
    const { from, to, timeZone, start, end, movements, rates } = report;
    const rows = report.periods.map((period) => [
      period.to,
      ...revenueMovements.map((kind) => monthlyDecimal(period.movements[kind].annualCents)),
      monthlyDecimal(sumMovements(period.movements)),
      monthlyDecimal(period.end.annualCents),
      ...Object.values(ratesJson(period.rates)).map((rate) => (rate === null ? '-' : `${rate} %`)),
    ]);
    const head = [
      ...['UNTIL', ...revenueMovements.map((kind) => kind.toUpperCase()), 'CHANGE', 'MRR'],
      ...['LOST CUSTOMERS', 'LOST MRR', 'GROSS RETENTION', 'NET RETENTION'],
    ];
    const known = { 'time zone': timeZone, ...words(end) };
    return {
      text: `${facts(known)}\n\n${table(head, rows, '')}`,
      json: {
        revenue: {
          from,
          as_of: to,
          time_zone: timeZone,
          start: totalsJson(start),
          end: totalsJson(end),
          movements: movementsJson(movements),
          rates: ratesJson(rates),
          periods: report.periods.map((period) => ({
            from: period.from,
            to: period.to,
            end: totalsJson(period.end),
            movements: movementsJson(period.movements),
            rates: ratesJson(period.rates),
          })),
        },
      },
    };
  },
});

export const revenueCommands: Group = {
  about: 'Revenue: what customers pay, on any day, and what changed it.',
  commands: { show, customers, plans, cohorts, forecast },
};

function words({ annualCents, paying, free }: RevenueTotals) {
  return {
    MRR: monthlyDecimal(annualCents),
    ARR: decimal(annualCents),
    'active customers': paying + free,
    paying,
    free,
    'MRR per paying customer': paying === 0 ? '-' : monthlyDecimal(annualCents, paying),
  };
}

function totalsJson({ annualCents, paying, free }: RevenueTotals) {
  const [mrr, arr] = [monthlyDecimal(annualCents), decimal(annualCents)];
  return { mrr, arr, active_customers: paying + free, paying_customers: paying, free_customers: free };
}

function movementsJson(movements: Movements) {
  return Object.fromEntries(
    revenueMovements.map((kind) => {
      const { annualCents, count } = movements[kind];
      return [kind, { mrr: monthlyDecimal(annualCents), arr: decimal(annualCents), count }];
    }),
  );
}

/** Formats the rates as percentages. */
function ratesJson({ customerChurn, revenueChurn, grossRetention, netRetention }: RevenueRates) {
  const percentage = (rate: number | null) => (rate === null ? null : (rate * 100).toFixed(2));
  return {
    customer_churn: percentage(customerChurn),
    revenue_churn: percentage(revenueChurn),
    gross_retention: percentage(grossRetention),
    net_retention: percentage(netRetention),
  };
}
