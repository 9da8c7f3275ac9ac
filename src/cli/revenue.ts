import type { Db } from '../db/database.ts';
import { readBatches } from '../operations/read-in-batches.ts';
import { decimal, monthlyDecimal } from '../plans/money.ts';
import { revenueMovements } from '../plans/revenue-movement.ts';
import { beginningOfReport, isDay, today } from '../revenue/days.ts';
import { getTimeZone } from '../revenue/get-time-zone.ts';
import {
  cursorOf,
  isRevenueFigure,
  listFigureCustomers,
  type RevenueCustomer,
  revenueFigures,
} from '../revenue/list-figure-customers.ts';
import type { RevenueRates } from '../revenue/revenue-rates.ts';
import { type Days, getRevenueReport, type RevenueStep, revenueSteps } from '../revenue/revenue-report.ts';
import { type Movements, type RevenueTotals, sumMovements } from '../revenue/revenue-totals.ts';
import { accountOption, command, type Group, OptionError } from './command.ts';
import { findAccount } from './find-account.ts';
import { mapped } from './listing.ts';
import { facts, table, time } from './output.ts';

const dayOptions = {
  from: {
    type: 'string',
    value: 'YYYY-MM-DD',
    about: 'The first day: of twelve months, eight quarters or five years by default.',
  },
  'as-of': { type: 'string', value: 'YYYY-MM-DD', about: 'The last day, at the end of which it is: today by default.' },
} as const;

const show = command({
  about: "Shows an account's recurring revenue at the end of a day, and its movements by month, quarter or year.",
  details: "Days are those of the account's time zone.",
  options: {
    account: accountOption,
    ...dayOptions,
    by: { type: 'string', value: revenueSteps.join('|'), about: 'The periods: month by default.' },
  },
  example: '--account acme --as-of 2026-06-30',
  database: 'current',
  async run({ db, values }) {
    const { id } = await findAccount(db, values.account);
    const step = revenueSteps.find((step) => step === (values.by ?? 'month'));
    if (!step) throw new OptionError('by', `must be one of: ${revenueSteps.join(', ')}.`);
    const report = await getRevenueReport(db, id, await readDays(db, id, values, step), step);
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

const customers = command({
  about: 'Lists the customers behind a figure of revenue, with their lines of the ledger.',
  details: 'The ARR of the listed customers, or the change of it for a movement, sums to the figure exactly.',
  options: {
    account: accountOption,
    figure: { type: 'string', value: revenueFigures.join('|'), required: true, about: 'The figure.' },
    ...dayOptions,
  },
  example: '--account acme --figure churn --from 2026-06-01 --as-of 2026-06-30',
  database: 'current',
  async run({ db, values }) {
    const { id } = await findAccount(db, values.account);
    const { figure } = values;
    if (!isRevenueFigure(figure)) throw new OptionError('figure', `must be one of: ${revenueFigures.join(', ')}.`);
    const days = await readDays(db, id, values);
    const lines = readBatches<RevenueCustomer>(async (last, limit) => {
      const page = { after: last ? cursorOf(figure, last) : 0, limit };
      return (await listFigureCustomers(db, id, { figure, ...days }, page)).lines;
    });
    return {
      listing: {
        name: 'customers',
        head: ['CUSTOMER', 'NAME', 'PLAN', 'PRICE', 'INTERVAL', 'ARR', 'CHANGE', 'SINCE'],
        empty: 'There are none.',
        parts: mapped(lines, (line) => ({
          cells: [
            `account_${line.customerId}`,
            line.name,
            line.planName ?? '',
            line.priceCents === null ? '' : decimal(line.priceCents),
            line.interval ?? '',
            decimal(line.annualCents),
            signed(line.changeCents),
            time(line.at),
          ],
          json: {
            id: `account_${line.customerId}`,
            name: line.name,
            plan_name: line.planName,
            plan_price: line.priceCents === null ? null : decimal(line.priceCents),
            interval: line.interval,
            arr: decimal(line.annualCents),
            arr_change: signed(line.changeCents),
            at: time(line.at),
          },
        })),
      },
    };
  },
});

export const revenueCommands: Group = {
  about: 'Revenue: what customers bring in, on any day, and what moved it.',
  commands: { show, customers },
};

async function readDays(
  db: Db,
  accountId: number,
  values: { from: string | undefined; 'as-of': string | undefined },
  step: RevenueStep = 'month',
): Promise<Days> {
  const to = values['as-of'] ?? today(await getTimeZone(db, accountId));
  if (!isDay(to)) throw new OptionError('as-of', 'is not a day like 2026-06-30.');
  const from = values.from ?? beginningOfReport(to, step);
  if (!isDay(from)) throw new OptionError('from', 'is not a day like 2026-06-30.');
  if (from > to) throw new OptionError('from', `is after ${to}.`);
  return { from, to };
}

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

/** As percentages. */
function ratesJson({ customerChurn, revenueChurn, grossRetention, netRetention }: RevenueRates) {
  const percentage = (rate: number | null) => (rate === null ? null : (rate * 100).toFixed(2));
  return {
    customer_churn: percentage(customerChurn),
    revenue_churn: percentage(revenueChurn),
    gross_retention: percentage(grossRetention),
    net_retention: percentage(netRetention),
  };
}

function signed(cents: number): string {
  return cents < 0 ? `-${decimal(-cents)}` : decimal(cents);
}
