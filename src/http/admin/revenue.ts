import { CSV_BEGINNING, csvLine } from '../../csv.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { monthlyDecimal } from '../../plans/money.ts';
import { revenueMovements } from '../../plans/revenue-movement.ts';
import { beginningOfReport, isDay, monthsBefore, today } from '../../revenue/days.ts';
import { getTimeZone } from '../../revenue/get-time-zone.ts';
import {
  cursorOf,
  isRevenueFigure,
  listFigureCustomers,
  type RevenueCustomer,
  type RevenueFigure,
} from '../../revenue/list-figure-customers.ts';
import { type Days, getRevenueReport, type RevenuePeriod, type RevenueStep } from '../../revenue/revenue-report.ts';
import type { RevenueTotals } from '../../revenue/revenue-totals.ts';
import { revenueCustomersQuery, revenueQuery } from './contract/revenue.ts';
import type {
  RevenueCustomerJson,
  RevenueCustomersJson,
  RevenueJson,
  RevenuePeriodJson,
  RevenueTotalsJson,
} from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { csvResponse, jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

const PAGE_SIZE = 100;
const CSV_PAGE_SIZE = 500;
const MAX_MONTHS = 120;

/** The recurring revenue of an account, and the customers behind each figure. */
export function revenueRoutes({ db }: RouteDependencies): AdminRoute[] {
  return [
    route({
      method: 'GET',
      path: '/admin/revenue',
      needs: 'view_revenue',
      query: revenueQuery,
      handle: async ({ caller: { accountId }, query }) => {
        const { step = 'month' } = query;
        const report = await getRevenueReport(db, accountId, await readDays(db, accountId, query), step);
        return jsonResponse(200, {
          ...{ timeZone: report.timeZone, step },
          ...periodJson(report),
          periods: report.periods.map(periodJson),
        } satisfies RevenueJson);
      },
    }),
    route({
      method: 'GET',
      path: '/admin/revenue/customers',
      needs: 'view_revenue',
      query: revenueCustomersQuery,
      handle: async ({ caller: { accountId }, query }) => {
        const { figure, after = 0 } = query;
        if (!isRevenueFigure(figure)) throw new AppError('malformed', '"figure" is none that has customers.');
        const days = await readDays(db, accountId, query);
        const page = { after, limit: PAGE_SIZE + 1 };
        const { total, lines } = await listFigureCustomers(db, accountId, { figure, ...days }, page);
        const shown = lines.slice(0, PAGE_SIZE);
        const next = lines.length > PAGE_SIZE ? cursorOf(figure, shown.at(-1)!) : null;
        return jsonResponse(200, {
          ...days,
          total: { ...amountJson(total.annualCents), count: total.count },
          customers: shown.map(customerJson),
          next,
        } satisfies RevenueCustomersJson);
      },
    }),
    route({
      method: 'GET',
      path: '/admin/revenue/customers.csv',
      needs: 'view_revenue',
      query: revenueCustomersQuery,
      handle: async ({ caller: { accountId }, query }) => {
        const { figure } = query;
        if (!isRevenueFigure(figure)) throw new AppError('malformed', '"figure" is none that has customers.');
        const days = await readDays(db, accountId, query);
        return csvResponse(`${figure}-${days.to}.csv`, customerLines(db, accountId, { figure, ...days }));
      },
    }),
  ];
}

/** Yields all pages of a figure's customers as CSV, one piece for each page. */
async function* customerLines(db: Db, accountId: number, figure: Days & { figure: RevenueFigure }) {
  yield CSV_BEGINNING + csvLine(['Customer', 'Name', 'Plan', 'Price', 'Interval', 'A year', 'Change a year', 'Time']);
  for (let after = 0; ; ) {
    const { lines } = await listFigureCustomers(db, accountId, figure, { after, limit: CSV_PAGE_SIZE });
    yield lines.map(customerLine).join('');
    if (lines.length < CSV_PAGE_SIZE) return;
    after = cursorOf(figure.figure, lines.at(-1)!);
  }
}

function customerLine(line: RevenueCustomer): string {
  const amount = (cents: number) => ({ number: (cents / 100).toFixed(2) });
  return csvLine([
    { number: line.customerId },
    line.name,
    line.planName ?? '',
    line.priceCents === null ? '' : amount(line.priceCents),
    line.interval ?? '',
    amount(line.annualCents),
    amount(line.changeCents),
    new Date(line.at).toISOString(),
  ]);
}

async function readDays(
  db: Db,
  accountId: number,
  query: { from?: string | undefined; to?: string | undefined; step?: RevenueStep | undefined },
): Promise<Days> {
  const to = query.to ?? today(await getTimeZone(db, accountId));
  if (!isDay(to)) throw new AppError('malformed', '"to" is no day of the calendar.');
  const from = query.from ?? beginningOfReport(to, query.step ?? 'month');
  if (!isDay(from)) throw new AppError('malformed', '"from" is no day of the calendar.');
  if (from > to) throw new AppError('malformed', '"from" is after "to".');
  if (from < monthsBefore(to, MAX_MONTHS)) throw new AppError('malformed', `A range has at most ${MAX_MONTHS} months.`);
  return { from, to };
}

function periodJson({ from, to, start, end, movements, rates }: RevenuePeriod): RevenuePeriodJson {
  const amounts = revenueMovements.map((kind) => {
    const { annualCents, count } = movements[kind];
    return [kind, { ...amountJson(annualCents), count }];
  });
  const { customerChurn, revenueChurn, grossRetention, netRetention } = rates;
  return {
    ...{ from, to, start: totalsJson(start), end: totalsJson(end) },
    movements: Object.fromEntries(amounts),
    rates: { customerChurn, revenueChurn, grossRetention, netRetention },
  };
}

function totalsJson({ annualCents, paying, free }: RevenueTotals): RevenueTotalsJson {
  const mrrPerPaying = paying === 0 ? null : monthlyDecimal(annualCents, paying);
  return { ...amountJson(annualCents), paying, free, mrrPerPaying };
}

function amountJson(annualCents: number) {
  return { annualCents, mrr: monthlyDecimal(annualCents) };
}

function customerJson(line: RevenueCustomer): RevenueCustomerJson {
  const { customerId, name, at, planName, priceCents, interval, annualCents, changeCents } = line;
  const plan =
    planName === null || priceCents === null || interval === null ? null : { name: planName, priceCents, interval };
  return { customerId, name, at, plan, annualCents, changeCents };
}
