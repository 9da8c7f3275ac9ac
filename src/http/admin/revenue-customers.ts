import { CSV_BEGINNING, centsCell, csvLine } from '../../csv.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { getCurrency } from '../../plans/get-currency.ts';
import { getPlan } from '../../plans/plans.ts';
import {
  cursorOf,
  type FigureInput,
  isRevenueFigure,
  listFigureCustomers,
  type RevenueCustomer,
} from '../../revenue/list-figure-customers.ts';
import { checkDay, readRevenueDays } from '../../revenue/read-revenue-days.ts';
import { type RevenueCustomersQuery, revenueCustomersQuery } from './contract/revenue.ts';
import type { RevenueCustomersJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { csvResponse, jsonResponse } from './responses.ts';
import { amountJson, customerJson } from './revenue-json.ts';
import { type AdminRoute, route } from './route.ts';

const PAGE_SIZE = 100;
const CSV_PAGE_SIZE = 500;

/** The customers behind each figure of the revenue. */
export function revenueCustomerRoutes({ db }: RouteDependencies): AdminRoute[] {
  return [
    route({
      method: 'GET',
      path: '/admin/revenue/customers',
      needs: 'view_revenue',
      query: revenueCustomersQuery,
      handle: async ({ caller: { accountId }, query }) => {
        const { planName, ...input } = await readFigure(db, accountId, query);
        const page = { after: query.after ?? 0, limit: PAGE_SIZE + 1 };
        const { total, lines } = await listFigureCustomers(db, accountId, input, page);
        const shown = lines.slice(0, PAGE_SIZE);
        const next = lines.length > PAGE_SIZE ? cursorOf(input.figure, shown.at(-1)!) : null;
        return jsonResponse(200, {
          ...{ from: input.from, to: input.to, asOf: input.asOf, planName },
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
        const input = await readFigure(db, accountId, query);
        return csvResponse(`${input.figure}-${input.asOf}.csv`, customerLines(db, accountId, input));
      },
    }),
  ];
}

/** @throws AppError `malformed`, or `not_found` for a plan of another account */
async function readFigure(db: Db, accountId: number, query: RevenueCustomersQuery) {
  const { figure, plan, asOf } = query;
  if (!isRevenueFigure(figure)) throw new AppError('malformed', '"figure" is none that has customers.');
  checkDay('asOf', asOf);
  const planName = plan === undefined ? null : (await getPlan(db, accountId, plan)).name;
  const days = await readRevenueDays(db, accountId, query);
  return { planName, figure, planId: plan, ...days, asOf: asOf ?? days.to };
}

/** Yields all pages of a figure's customers as CSV, one piece for each page. */
async function* customerLines(db: Db, accountId: number, figure: FigureInput) {
  const head = ['Customer', 'Name', 'Plan', 'Price', 'Interval', 'A year', 'Change a year', 'Time', 'Currency'];
  yield CSV_BEGINNING + csvLine(head);
  const currency = await getCurrency(db, accountId);
  for (let after = 0; ; ) {
    const { lines } = await listFigureCustomers(db, accountId, figure, { after, limit: CSV_PAGE_SIZE });
    yield lines.map((line) => customerLine(line, currency)).join('');
    if (lines.length < CSV_PAGE_SIZE) return;
    after = cursorOf(figure.figure, lines.at(-1)!);
  }
}

function customerLine(line: RevenueCustomer, currency: string): string {
  return csvLine([
    { number: line.customerId },
    line.name,
    line.planName ?? '',
    line.priceCents === null ? '' : centsCell(line.priceCents),
    line.interval ?? '',
    centsCell(line.annualCents),
    centsCell(line.changeCents),
    new Date(line.at).toISOString(),
    currency,
  ]);
}
