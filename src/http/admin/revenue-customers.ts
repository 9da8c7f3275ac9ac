import type { Db } from '../../db/database.ts';
import { partWithNext } from '../../db/part-of.ts';
import { AppError } from '../../errors.ts';
import { getPlan } from '../../plans/plans.ts';
import { cursorOf, isRevenueFigure, listFigureCustomers } from '../../revenue/list-figure-customers.ts';
import { checkDay, readRevenueDays } from '../../revenue/read-revenue-days.ts';
import { figureCustomersCsv } from '../../revenue/revenue-csv.ts';
import { type RevenueCustomersQuery, revenueCustomersQuery } from './contract/revenue.ts';
import type { RevenueCustomersJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { csvResponse, jsonResponse } from './responses.ts';
import { amountJson, customerJson } from './revenue-json.ts';
import { type AdminRoute, route } from './route.ts';

const PAGE_SIZE = 100;

/** Returns the routes for the customers behind each figure of the revenue. */
export function revenueCustomerRoutes({ db }: RouteDependencies): AdminRoute[] {
  return [
    route('GET /admin/revenue/customers', {
      needs: 'view_revenue',
      query: revenueCustomersQuery,
      handle: async ({ sessionOwner: { accountId }, query }) => {
        const { planName, ...input } = await readFigure(db, accountId, query);
        const page = { after: query.after ?? 0, limit: PAGE_SIZE + 1 };
        const { total, lines } = await listFigureCustomers(db, accountId, input, page);
        const { shown, next } = partWithNext(lines, PAGE_SIZE, (last) => cursorOf(input.figure, last));
        return jsonResponse(200, {
          from: input.from,
          to: input.to,
          asOf: input.asOf,
          planName,
          total: { ...amountJson(total.annualCents), count: total.count },
          customers: shown.map(customerJson),
          next,
        } satisfies RevenueCustomersJson);
      },
    }),
    route('GET /admin/revenue/customers.csv', {
      needs: 'view_revenue',
      query: revenueCustomersQuery,
      handle: async ({ sessionOwner, query }) => {
        const { accountId } = sessionOwner;
        const input = await readFigure(db, accountId, query);
        const fileName = `${input.figure}-${input.asOf}.csv`;
        return csvResponse({ db, sessionOwner }, fileName, figureCustomersCsv(db, accountId, input));
      },
    }),
  ];
}

/** @throws AppError `malformed`, or `not_found` for a plan of another account */
async function readFigure(db: Db, accountId: number, query: RevenueCustomersQuery) {
  const { figure, plan, asOf } = query;
  if (!isRevenueFigure(figure)) throw new AppError('malformed', '"figure" is not a figure that has customers.');
  checkDay('asOf', asOf);
  const planName = plan === undefined ? null : (await getPlan(db, accountId, plan)).name;
  const days = await readRevenueDays(db, accountId, query);
  return { planName, figure, planId: plan, ...days, asOf: asOf ?? days.to };
}
