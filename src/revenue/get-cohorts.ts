import type { Db } from '../db/database.ts';
import { type Days, getRevenueEnds, periodsOf, type RevenueStep } from './revenue-report.ts';

/** The customers that came in a period, as they are at the end of a later day. */
export interface Cohort extends Days {
  count: number;
  activeCount: number;
  /** How many cents the customers pay a year. */
  annualCents: number;
}

/**
 * Returns, for each period of the range, how many customers came in it, how many are still active at the end of the range,
 * and what they pay then.
 */
export async function getCohorts(db: Db, accountId: number, range: Days, step: RevenueStep): Promise<Cohort[]> {
  const { lineId } = (await getRevenueEnds(db, accountId, range)).end;
  const cohorts: Cohort[] = [];
  for (const days of periodsOf(range, step)) {
    const { start, end } = await getRevenueEnds(db, accountId, days);
    cohorts.push({ ...days, ...(await countCohort(db, accountId, { start: start.lineId, end: end.lineId, lineId })) });
  }
  return cohorts;
}

/**
 * Counts the customers whose first line is after the line `start` and up to the line `end`, in their state after the line
 * `lineId`.
 */
export async function countCohort(
  db: Db,
  accountId: number,
  { start, end, lineId }: { start: number; end: number; lineId: number },
): Promise<Omit<Cohort, keyof Days>> {
  const rows = await db
    .selectFrom('revenue_lines')
    .select((e) => [
      'state',
      e.fn.countAll<number>().as('count'),
      e.fn.sum<number | string>('annual_cents').as('annualCents'),
    ])
    .where('account_id', '=', accountId)
    .where('first_line_id', '>', start)
    .where('first_line_id', '<=', end)
    .where('line_id', '<=', lineId)
    .where('next_line_id', '>', lineId)
    .groupBy('state')
    .execute();
  const sum = (of: typeof rows, read: (row: (typeof rows)[number]) => number) =>
    of.reduce((total, row) => total + read(row), 0);
  const active = rows.filter(({ state }) => state !== 'inactive');
  return {
    count: sum(rows, ({ count }) => count),
    activeCount: sum(active, ({ count }) => count),
    annualCents: sum(rows, ({ annualCents }) => Number(annualCents)),
  };
}
