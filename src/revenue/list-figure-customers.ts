import type { Db } from '../db/database.ts';
import { revenueMovements } from '../plans/revenue-movement.ts';
import { endOfDay } from './days.ts';
import { countCohort } from './get-cohorts.ts';
import { getTimeZone } from './get-time-zone.ts';
import {
  listCustomersInState,
  listCustomersWhoCame,
  listMovements,
  type RevenueCustomer,
} from './list-revenue-customers.ts';
import { type Days, getRevenueEnds } from './revenue-report.ts';
import { getRevenueTotals, subtractMovements } from './revenue-totals.ts';

export type { RevenueCustomer };

/**
 * Figures count customers at the end of the last day (states), movements in the days, or customers that came in the days
 * (cohorts).
 */
const states = ['paying', 'free'] as const;
const cohorts = ['came', 'stayed'] as const;

/** The figures for which customers can be listed. */
export const revenueFigures = [...states, ...revenueMovements, ...cohorts] as const;
export type RevenueFigure = (typeof revenueFigures)[number];

export function isRevenueFigure(text: string): text is RevenueFigure {
  return (revenueFigures as readonly string[]).includes(text);
}

export interface FigureInput extends Days {
  figure: RevenueFigure;
  /** Limits the figure to the revenue of one plan. Cohorts ignore it. */
  planId?: number | undefined;
  /** The day at whose end a cohort is counted; by default the last of the days. */
  asOf?: string | undefined;
}

interface Page {
  /** The cursor of the last line of the previous page; 0 for the first page. */
  after: number;
  limit: number;
}

interface FigureCustomers {
  /** The sum over the lines of all pages. The amount of a movement is positive. */
  total: { annualCents: number; count: number };
  lines: RevenueCustomer[];
}

/** Lists the customers that the figure counts, each with the line of the ledger that is counted. */
export async function listFigureCustomers(
  db: Db,
  accountId: number,
  { figure, planId, asOf, ...days }: FigureInput,
  page: Page,
): Promise<FigureCustomers> {
  if (isCohort(figure)) return listCohort(db, accountId, { figure, asOf, ...days }, page);
  const { start, end } = await getRevenueEnds(db, accountId, days, planId);
  if (isState(figure)) {
    const lines = await listCustomersInState(db, accountId, { state: figure, lineId: end.lineId, planId }, page);
    return { total: { annualCents: figure === 'paying' ? end.annualCents : 0, count: end[figure] }, lines };
  }
  const range = { movement: figure, start: start.lineId, end: end.lineId, planId };
  const total = subtractMovements(end.movements, start.movements)[figure];
  return { total, lines: await listMovements(db, accountId, range, page) };
}

async function listCohort(
  db: Db,
  accountId: number,
  { figure, asOf, ...days }: FigureInput,
  page: Page,
): Promise<FigureCustomers> {
  const { start, end } = await getRevenueEnds(db, accountId, days);
  const before = endOfDay(asOf ?? days.to, await getTimeZone(db, accountId));
  const { lineId } = await getRevenueTotals(db, accountId, before);
  const range = { start: start.lineId, end: end.lineId, lineId };
  const { count, activeCount, annualCents } = await countCohort(db, accountId, range);
  const lines = await listCustomersWhoCame(db, accountId, { ...range, isActive: figure === 'stayed' }, page);
  return { total: { annualCents, count: figure === 'stayed' ? activeCount : count }, lines };
}

/** Returns the id after which the figure's list continues. */
export function cursorOf(figure: RevenueFigure, { customerId, lineId, firstLineId }: RevenueCustomer): number {
  if (isCohort(figure)) return firstLineId;
  return isState(figure) ? customerId : lineId;
}

function isState(figure: RevenueFigure): figure is (typeof states)[number] {
  return (states as readonly string[]).includes(figure);
}

function isCohort(figure: RevenueFigure): figure is (typeof cohorts)[number] {
  return (cohorts as readonly string[]).includes(figure);
}
