import { CSV_BEGINNING, centsCell, csvLine } from '../../csv.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { getCurrency } from '../../plans/get-currency.ts';
import { monthlyDecimal } from '../../plans/money.ts';
import { today } from '../../revenue/days.ts';
import {
  type ForecastCursor,
  type ForecastLine,
  type ForecastMonth,
  getForecast,
  listForecast,
} from '../../revenue/get-forecast.ts';
import { getTimeZone } from '../../revenue/get-time-zone.ts';
import { forecastChangesQuery } from './contract/revenue.ts';
import type { ForecastChangesJson, ForecastJson, ForecastMonthJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { csvResponse, jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

const PAGE_SIZE = 100;
const CSV_PAGE_SIZE = 500;

/** The revenue of the months to come, as far as it is known. */
export function forecastRoutes({ db }: RouteDependencies): AdminRoute[] {
  return [
    route({
      method: 'GET',
      path: '/admin/revenue/forecast',
      needs: 'view_revenue',
      handle: async ({ caller: { accountId } }) => {
        const { annualCents, months } = await getForecast(db, accountId);
        const mrr = monthlyDecimal(annualCents);
        return jsonResponse(200, { mrr, months: months.map(monthJson) } satisfies ForecastJson);
      },
    }),
    route({
      method: 'GET',
      path: '/admin/revenue/forecast/changes',
      needs: 'view_revenue',
      query: forecastChangesQuery,
      handle: async ({ caller: { accountId }, query: { month, after } }) => {
        const page = { month, after: after === undefined ? undefined : readCursor(after), limit: PAGE_SIZE + 1 };
        const lines = await listForecast(db, accountId, page);
        const changes = lines.slice(0, PAGE_SIZE);
        const last = changes.at(-1);
        const next = lines.length > PAGE_SIZE && last ? `${last.day}_${last.customerId}_${last.kind}` : null;
        return jsonResponse(200, { changes, next } satisfies ForecastChangesJson);
      },
    }),
    route({
      method: 'GET',
      path: '/admin/revenue/forecast.csv',
      needs: 'view_revenue',
      handle: async ({ caller: { accountId } }) => {
        const day = today(await getTimeZone(db, accountId));
        return csvResponse(`forecast-${day}.csv`, forecastLines(db, accountId));
      },
    }),
  ];
}

function monthJson({ month, moves, trials, annualCents }: ForecastMonth): ForecastMonthJson {
  return { month, moves, trials, mrr: monthlyDecimal(annualCents) };
}

function readCursor(text: string): ForecastCursor {
  const [, day, id, kind] = /^(\d{4}-\d{2}-\d{2})_(\d{1,15})_(move|trial)$/.exec(text) ?? [];
  if (day === undefined) throw new AppError('malformed', '"after" is no place in this list.');
  return { day, customerId: Number(id), kind: kind as ForecastCursor['kind'] };
}

/** Yields all known changes as CSV, one piece for each page. */
async function* forecastLines(db: Db, accountId: number) {
  const head = ['Day', 'What', 'Customer', 'Name', 'From', 'To', 'Price', 'Interval', 'Change a year', 'Currency'];
  yield CSV_BEGINNING + csvLine(head);
  const currency = await getCurrency(db, accountId);
  for (let after: ForecastCursor | undefined; ; ) {
    const lines = await listForecast(db, accountId, { after, limit: CSV_PAGE_SIZE });
    yield lines.map((line) => forecastLine(line, currency)).join('');
    if (lines.length < CSV_PAGE_SIZE) return;
    after = lines.at(-1)!;
  }
}

function forecastLine(line: ForecastLine, currency: string) {
  const { day, kind, customerId, name, from, to, priceCents, interval, changeCents } = line;
  const what = kind === 'move' ? 'Scheduled change' : 'End of trial';
  return csvLine([
    day,
    what,
    { number: customerId },
    name,
    from,
    to,
    centsCell(priceCents),
    interval,
    centsCell(changeCents),
    currency,
  ]);
}
