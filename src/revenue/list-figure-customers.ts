import type { Db } from '../db/database.ts';
import { revenueMovements } from '../plans/revenue-movement.ts';
import { listCustomersInState, listMovements, type RevenueCustomer } from './list-revenue-customers.ts';
import { type Days, getRevenueEnds } from './revenue-report.ts';
import { subtractMovements } from './revenue-totals.ts';

export type { RevenueCustomer };

/** The figures that have a list: the customers at the end of the last day, and the movements in the days. */
export const revenueFigures = ['paying', 'free', ...revenueMovements] as const;
export type RevenueFigure = (typeof revenueFigures)[number];

export function isRevenueFigure(text: string): text is RevenueFigure {
  return (revenueFigures as readonly string[]).includes(text);
}

interface Page {
  /** The cursor of the last line of the page before; 0 for the first page. */
  after: number;
  limit: number;
}

interface FigureCustomers {
  /** What the lines of all pages sum to. A movement's amount has no sign. */
  total: { annualCents: number; count: number };
  lines: RevenueCustomer[];
}

/** Lists the customers that the figure counts, each with the line of the ledger that it counts. */
export async function listFigureCustomers(
  db: Db,
  accountId: number,
  { figure, ...days }: Days & { figure: RevenueFigure },
  page: Page,
): Promise<FigureCustomers> {
  const { start, end } = await getRevenueEnds(db, accountId, days);
  if (isState(figure)) {
    const lines = await listCustomersInState(db, accountId, { state: figure, lineId: end.lineId }, page);
    return { total: { annualCents: figure === 'paying' ? end.annualCents : 0, count: end[figure] }, lines };
  }
  const range = { movement: figure, start: start.lineId, end: end.lineId };
  const total = subtractMovements(end.movements, start.movements)[figure];
  return { total, lines: await listMovements(db, accountId, range, page) };
}

/** Returns the id by which the figure's list continues after the line. */
export function cursorOf(figure: RevenueFigure, { customerId, lineId }: RevenueCustomer): number {
  return isState(figure) ? customerId : lineId;
}

function isState(figure: RevenueFigure): figure is 'paying' | 'free' {
  return figure === 'paying' || figure === 'free';
}
