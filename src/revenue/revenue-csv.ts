import { CSV_BEGINNING, centsCell, csvLine } from '../csv.ts';
import type { Db } from '../db/database.ts';
import { getCurrency } from '../plans/get-currency.ts';
import { revenueMovements } from '../plans/revenue-movement.ts';
import { type ForecastCursor, type ForecastLine, listForecast } from './get-forecast.ts';
import { cursorOf, type FigureInput, listFigureCustomers, type RevenueCustomer } from './list-figure-customers.ts';
import type { RevenueReport } from './revenue-report.ts';

/* Reports as CSV. They can be long, so each is yielded in pieces. */

const PAGE_SIZE = 500;

/** Yields the periods of a report as CSV, with annual amounts, since these sum exactly. */
export async function* reportCsv(db: Db, accountId: number, { periods }: RevenueReport) {
  const kinds = revenueMovements.map((kind) => kind[0]!.toUpperCase() + kind.slice(1));
  const ends = ['A year at the beginning', ...kinds, 'A year at the end', 'Paying', 'Free', 'Currency'];
  yield CSV_BEGINNING + csvLine(['From', 'To', ...ends]);
  const currency = await getCurrency(db, accountId);
  const sign = (kind: string) => (kind === 'churn' || kind === 'contraction' ? -1 : 1);
  const lines = periods.map(({ from, to, start, end, movements }) =>
    csvLine([
      from,
      to,
      centsCell(start.annualCents),
      ...revenueMovements.map((kind) => centsCell(sign(kind) * movements[kind].annualCents)),
      centsCell(end.annualCents),
      { number: end.paying },
      { number: end.free },
      currency,
    ]),
  );
  yield lines.join('');
}

/** Yields all customers that a figure counts as CSV. */
export async function* figureCustomersCsv(db: Db, accountId: number, figure: FigureInput) {
  const head = ['Customer', 'Name', 'Plan', 'Price', 'Interval', 'A year', 'Change a year', 'Time', 'Currency'];
  yield CSV_BEGINNING + csvLine(head);
  const currency = await getCurrency(db, accountId);
  for (let after = 0; ; ) {
    const { lines } = await listFigureCustomers(db, accountId, figure, { after, limit: PAGE_SIZE });
    yield lines.map((line) => customerLine(line, currency)).join('');
    if (lines.length < PAGE_SIZE) return;
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

/** Yields all known changes of the forecast as CSV. */
export async function* forecastCsv(db: Db, accountId: number) {
  const head = ['Day', 'What', 'Customer', 'Name', 'From', 'To', 'Price', 'Interval', 'Change a year', 'Currency'];
  yield CSV_BEGINNING + csvLine(head);
  const currency = await getCurrency(db, accountId);
  for (let after: ForecastCursor | undefined; ; ) {
    const lines = await listForecast(db, accountId, { after, limit: PAGE_SIZE });
    yield lines.map((line) => forecastLine(line, currency)).join('');
    if (lines.length < PAGE_SIZE) return;
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
