import type { Db } from '../db/database.ts';
import { beginningOfReport, daysBefore } from '../revenue/days.ts';
import { type Days, getRevenueEnds, getRevenueReport } from '../revenue/revenue-report.ts';
import { type Movements, type RevenueTotals, subtractMovements } from '../revenue/revenue-totals.ts';

export interface Business {
  /** The last 30 days. */
  days: Days;
  /** The totals before the first of these days. */
  start: RevenueTotals;
  end: RevenueTotals;
  movements: Movements;
  /** The annual revenue at the end of each of the last twelve months. The last one ends today. */
  months: { from: string; annualCents: number }[];
}

const DAYS = 30;

/** Returns the account's revenue at the end of today, and its movements in the last 30 days. */
export async function getBusiness(db: Db, accountId: number, today: string): Promise<Business> {
  const days = { from: daysBefore(today, DAYS - 1), to: today };
  const { start, end } = await getRevenueEnds(db, accountId, days);
  const year = await getRevenueReport(db, accountId, { from: beginningOfReport(today, 'month'), to: today });
  return {
    days,
    start,
    end,
    movements: subtractMovements(end.movements, start.movements),
    months: year.periods.map(({ from, end: { annualCents } }) => ({ from, annualCents })),
  };
}
