import type { Db } from '../db/database.ts';
import { endOfDay } from './days.ts';
import { getTimeZone } from './get-time-zone.ts';
import { getRevenueTotals, type Movements, type RevenueTotals, subtractMovements } from './revenue-totals.ts';

/** A range of days, both included, each `YYYY-MM-DD` in the account's time zone. */
export interface Days {
  from: string;
  to: string;
}

/** What moved in the days, and where the account stood at their end. */
export interface RevenuePeriod extends Days {
  end: RevenueTotals;
  movements: Movements;
}

export interface RevenueReport extends RevenuePeriod {
  timeZone: string;
  start: RevenueTotals;
  /** The calendar months of the range; the first and the last may be cut off by it. */
  months: RevenuePeriod[];
}

/** Returns the account's revenue at both ends of the range and what moved in between, by month. */
export async function getRevenueReport(db: Db, accountId: number, { from, to }: Days): Promise<RevenueReport> {
  const timeZone = await getTimeZone(db, accountId);
  const start = await getRevenueTotals(db, accountId, endOfDay(dayBefore(from), timeZone));
  let last = start;
  const months: RevenuePeriod[] = [];
  for (const days of monthsOf({ from, to })) {
    const end = await getRevenueTotals(db, accountId, endOfDay(days.to, timeZone));
    months.push({ ...days, end, movements: subtractMovements(end.movements, last.movements) });
    last = end;
  }
  const movements = subtractMovements(last.movements, start.movements);
  return { timeZone, from, to, start, end: last, movements, months };
}

/** Returns where the account stood before the first day and at the end of the last. */
export async function getRevenueEnds(db: Db, accountId: number, { from, to }: Days) {
  const timeZone = await getTimeZone(db, accountId);
  return {
    start: await getRevenueTotals(db, accountId, endOfDay(dayBefore(from), timeZone)),
    end: await getRevenueTotals(db, accountId, endOfDay(to, timeZone)),
  };
}

function monthsOf({ from, to }: Days): Days[] {
  const months: Days[] = [];
  for (let day = from; day <= to; ) {
    const { year, month, daysInMonth } = Temporal.PlainDate.from(day);
    const lastDay = Temporal.PlainDate.from({ year, month, day: daysInMonth });
    const end = lastDay.toString();
    months.push({ from: day, to: end < to ? end : to });
    day = lastDay.add({ days: 1 }).toString();
  }
  return months;
}

function dayBefore(day: string): string {
  return Temporal.PlainDate.from(day).subtract({ days: 1 }).toString();
}
