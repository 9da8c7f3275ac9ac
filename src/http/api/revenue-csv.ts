import { assertKeyActive } from '../../api-keys/assert-key-active.ts';
import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import type { Db } from '../../db/database.ts';
import { today } from '../../revenue/days.ts';
import { getTimeZone } from '../../revenue/get-time-zone.ts';
import { figureCustomersCsv, forecastCsv, reportCsv } from '../../revenue/revenue-csv.ts';
import { getRevenueReport } from '../../revenue/revenue-report.ts';
import { csvFile } from '../csv-file.ts';
import { keyedAnswerHeaders } from '../json.ts';
import type { HttpResponse } from '../request-context.ts';
import { textSchema } from './json-schema.ts';
import { noPlan } from './list-plans.ts';
import { readOperation } from './operation.ts';
import { figureParameters, readFigure } from './revenue-customers.ts';
import { dayParameters, planParameter, readDays, readPlanId, stepParameter, wrongDay } from './revenue-parameters.ts';

const shared = { tag: 'Revenue', scope: 'revenue:read', contentType: 'text/csv' } as const;

export const exportRevenueOperation = readOperation('GET /api/revenue.csv', {
  ...shared,
  id: 'exportRevenue',
  summary: 'Export recurring revenue',
  description: 'The periods of the report as CSV, with annual amounts, for a spreadsheet.',
  queryParameters: { ...dayParameters, ...stepParameter, ...planParameter },
  answers: [{ status: 200, schema: 'RevenueCsv', description: 'The periods.' }, wrongDay, noPlan],
  schemas: {
    RevenueCsv: textSchema(
      'A line for each period. Contraction and churn are negative.',
      `From,To,A year at the beginning,New,Expansion,Contraction,Churn,Reactivation,A year at the end,Paying,Free,Currency
2026-06-01,2026-06-30,588.00,228.00,0.00,0.00,0.00,0.00,816.00,4,1,EUR
`,
    ),
  },
  handler:
    ({ db }) =>
    async (ctx, keyOwner) => {
      const { accountId } = keyOwner;
      const { days, step } = await readDays(db, accountId, ctx.query);
      const planId = await readPlanId(db, accountId, ctx.query);
      const report = await getRevenueReport(db, accountId, days, step, planId);
      return keyedCsvFile({ db, keyOwner }, `revenue-${report.to}.csv`, reportCsv(db, accountId, report));
    },
});

export const exportRevenueCustomersOperation = readOperation('GET /api/revenue/customers.csv', {
  ...shared,
  id: 'exportRevenueCustomers',
  summary: 'Export the customers behind a figure',
  description: 'All customers that a figure of the revenue counts, as CSV.',
  queryParameters: figureParameters,
  answers: [{ status: 200, schema: 'RevenueCustomersCsv', description: 'The customers.' }, wrongDay, noPlan],
  schemas: {
    RevenueCustomersCsv: textSchema(
      "A line for each customer, with the number of its account's id.",
      `Customer,Name,Plan,Price,Interval,A year,Change a year,Time,Currency
12,Acme Bakery,Standard,19.00,month,228.00,228.00,2026-06-12T08:56:03.000Z,EUR
`,
    ),
  },
  handler:
    ({ db }) =>
    async (ctx, keyOwner) => {
      const { accountId } = keyOwner;
      const figure = await readFigure(db, accountId, ctx.query);
      const fileName = `${figure.figure}-${figure.asOf}.csv`;
      return keyedCsvFile({ db, keyOwner }, fileName, figureCustomersCsv(db, accountId, figure));
    },
});

export const exportForecastOperation = readOperation('GET /api/revenue/forecast.csv', {
  ...shared,
  id: 'exportForecast',
  summary: 'Export the forecast',
  description: 'The scheduled changes and ends of trials behind the forecast, as CSV.',
  answers: [{ status: 200, schema: 'ForecastCsv', description: 'The changes.' }],
  schemas: {
    ForecastCsv: textSchema(
      "A line for each change, with the number of its customer's account's id.",
      `Day,What,Customer,Name,From,To,Price,Interval,Change a year,Currency
2026-12-01,Scheduled change,12,Acme Bakery,Free,Standard,19.00,month,228.00,EUR
`,
    ),
  },
  handler:
    ({ db }) =>
    async (_, keyOwner) => {
      const { accountId } = keyOwner;
      const day = today(await getTimeZone(db, accountId));
      return keyedCsvFile({ db, keyOwner }, `forecast-${day}.csv`, forecastCsv(db, accountId));
    },
});

/** Returns a response that downloads a CSV file. Writing stops when the key becomes invalid. */
function keyedCsvFile(
  { db, keyOwner: { accountId, keyId } }: { readonly db: Db; readonly keyOwner: KeyOwner },
  fileName: string,
  lines: AsyncIterable<string>,
): HttpResponse {
  const assertAdmitted = () => assertKeyActive(db, accountId, keyId);
  return csvFile(lines, { fileName, headers: keyedAnswerHeaders, assertAdmitted });
}
