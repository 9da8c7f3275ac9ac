import type { Db } from '../../db/database.ts';
import { getPlan } from '../../plans/plans.ts';
import { getCohorts } from '../../revenue/get-cohorts.ts';
import { getRevenueByPlan } from '../../revenue/get-revenue-by-plan.ts';
import { readRevenueDays } from '../../revenue/read-revenue-days.ts';
import { reportCsv } from '../../revenue/revenue-csv.ts';
import { getRevenueReport, type RevenueReport, type RevenueStep } from '../../revenue/revenue-report.ts';
import { cohortsQuery, revenueQuery } from './contract/revenue.ts';
import type { CohortsJson, RevenueJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { csvResponse, jsonResponse } from './responses.ts';
import { cohortJson, periodJson, planJson } from './revenue-json.ts';
import { type AdminRoute, route } from './route.ts';

/** Returns the routes for the recurring revenue of an account. */
export function revenueRoutes({ db }: RouteDependencies): AdminRoute[] {
  return [
    route('GET /admin/revenue', {
      needs: 'view_revenue',
      query: revenueQuery,
      handle: async ({ sessionOwner: { accountId }, query }) => {
        const { step = 'month' } = query;
        const report = await readReport(db, accountId, query);
        const plans = await getRevenueByPlan(db, accountId, report);
        return jsonResponse(200, {
          timeZone: report.timeZone,
          step,
          ...periodJson(report),
          periods: report.periods.map(periodJson),
          plans: plans.map(planJson),
        } satisfies RevenueJson);
      },
    }),
    route('GET /admin/revenue/cohorts', {
      needs: 'view_revenue',
      query: cohortsQuery,
      handle: async ({ sessionOwner: { accountId }, query }) => {
        const { step = 'month' } = query;
        const days = await readRevenueDays(db, accountId, query);
        const cohorts = await getCohorts(db, accountId, days, step);
        return jsonResponse(200, { ...days, step, cohorts: cohorts.map(cohortJson) } satisfies CohortsJson);
      },
    }),
    route('GET /admin/revenue.csv', {
      needs: 'view_revenue',
      query: revenueQuery,
      handle: async ({ sessionOwner, query }) => {
        const { accountId } = sessionOwner;
        const report = await readReport(db, accountId, query);
        return csvResponse({ db, sessionOwner }, `revenue-${report.to}.csv`, reportCsv(db, accountId, report));
      },
    }),
  ];
}

interface ReportQuery {
  from?: string | undefined;
  to?: string | undefined;
  step?: RevenueStep | undefined;
  plan?: number | undefined;
}

/** @throws AppError `malformed`, or `not_found` for a plan of another account */
async function readReport(db: Db, accountId: number, query: ReportQuery): Promise<RevenueReport> {
  if (query.plan !== undefined) await getPlan(db, accountId, query.plan);
  const days = await readRevenueDays(db, accountId, query);
  return getRevenueReport(db, accountId, days, query.step, query.plan);
}
