import { partWithNext } from '../../db/part-of.ts';
import { monthlyDecimal } from '../../plans/money.ts';
import { today } from '../../revenue/days.ts';
import { readForecastCursor, writeForecastCursor } from '../../revenue/forecast-cursor.ts';
import { type ForecastMonth, getForecast, listForecast } from '../../revenue/get-forecast.ts';
import { getTimeZone } from '../../revenue/get-time-zone.ts';
import { forecastCsv } from '../../revenue/revenue-csv.ts';
import { forecastChangesQuery } from './contract/revenue.ts';
import type { ForecastChangesJson, ForecastJson, ForecastMonthJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { csvResponse, jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

const PAGE_SIZE = 100;

/** Returns the routes for the forecast: the revenue of the months to come, from changes that are known. */
export function forecastRoutes({ db }: RouteDependencies): AdminRoute[] {
  return [
    route('GET /admin/revenue/forecast', {
      needs: 'view_revenue',
      handle: async ({ sessionOwner: { accountId } }) => {
        const { annualCents, months } = await getForecast(db, accountId);
        const mrr = monthlyDecimal(annualCents);
        return jsonResponse(200, { mrr, months: months.map(monthJson) } satisfies ForecastJson);
      },
    }),
    route('GET /admin/revenue/forecast/changes', {
      needs: 'view_revenue',
      query: forecastChangesQuery,
      handle: async ({ sessionOwner: { accountId }, query: { month, after } }) => {
        const start = after === undefined ? undefined : readForecastCursor(after);
        const lines = await listForecast(db, accountId, { month, after: start, limit: PAGE_SIZE + 1 });
        const { shown: changes, next } = partWithNext(lines, PAGE_SIZE, writeForecastCursor);
        return jsonResponse(200, { changes, next } satisfies ForecastChangesJson);
      },
    }),
    route('GET /admin/revenue/forecast.csv', {
      needs: 'view_revenue',
      handle: async ({ sessionOwner }) => {
        const { accountId } = sessionOwner;
        const day = today(await getTimeZone(db, accountId));
        return csvResponse({ db, sessionOwner }, `forecast-${day}.csv`, forecastCsv(db, accountId));
      },
    }),
  ];
}

function monthJson({ month, moves, trials, annualCents }: ForecastMonth): ForecastMonthJson {
  return { month, moves, trials, mrr: monthlyDecimal(annualCents) };
}
