import type { Db } from '../db/database.ts';
import { endOfDay } from './days.ts';
import { getTimeZone } from './get-time-zone.ts';
import { compoundRates, type RevenueRates } from './revenue-rates.ts';
import { getRevenueTotals, type Movements, type RevenueTotals, subtractMovements } from './revenue-totals.ts';

/** A range of days, including both, each `YYYY-MM-DD` in the account's time zone. */
export interface Days {
  from: string;
  to: string;
}

/** The calendar periods into which a report divides its range. */
export const revenueSteps = ['month', 'quarter', 'year'] as const;
export type RevenueStep = (typeof revenueSteps)[number];

/** The totals at both ends of the days, and the movements in between. */
export interface RevenuePeriod extends Days {
  start: RevenueTotals;
  end: RevenueTotals;
  movements: Movements;
  rates: RevenueRates;
}

export interface RevenueReport extends RevenuePeriod {
  timeZone: string;
  /** The calendar periods of the range, which may cut off the first and the last. */
  periods: RevenuePeriod[];
}

/**
 * Returns the revenue of the account, or of one of its plans, at both ends of the range, and the movements in between, by
 * step.
 */
export async function getRevenueReport(
  db: Db,
  accountId: number,
  { from, to }: Days,
  step: RevenueStep = 'month',
  planId?: number,
): Promise<RevenueReport> {
  const timeZone = await getTimeZone(db, accountId);
  let last = await getRevenueTotals(db, accountId, endOfDay(dayBefore(from), timeZone), planId);
  const months: Month[] = [];
  for (const days of monthsOf({ from, to })) {
    const end = await getRevenueTotals(db, accountId, endOfDay(days.to, timeZone), planId);
    months.push({ ...days, start: last, end, movements: subtractMovements(end.movements, last.movements) });
    last = end;
  }
  return { timeZone, ...summarize(months), periods: groupBySteps(months, step).map(summarize) };
}

/** Returns the calendar periods of the range, which may cut off the first and the last. */
export function periodsOf(range: Days, step: RevenueStep): Days[] {
  return groupBySteps(monthsOf(range), step).map((months) => ({ from: months[0]!.from, to: months.at(-1)!.to }));
}

function groupBySteps<T extends Days>(months: readonly T[], step: RevenueStep): T[][] {
  return [...Map.groupBy(months, ({ from }) => periodOf(from, step)).values()];
}

/** Returns the totals before the first day and at the end of the last one. */
export async function getRevenueEnds(db: Db, accountId: number, { from, to }: Days, planId?: number) {
  const timeZone = await getTimeZone(db, accountId);
  return {
    start: await getRevenueTotals(db, accountId, endOfDay(dayBefore(from), timeZone), planId),
    end: await getRevenueTotals(db, accountId, endOfDay(to, timeZone), planId),
  };
}

type Month = Omit<RevenuePeriod, 'rates'>;

function summarize(months: readonly Month[]): RevenuePeriod {
  const [{ from, start }, { to, end }] = [months[0]!, months.at(-1)!];
  const movements = subtractMovements(end.movements, start.movements);
  return { from, to, start, end, movements, rates: compoundRates(months) };
}

/** Returns a text that is the same for all days of one calendar period. */
function periodOf(day: string, step: RevenueStep): string {
  const { year, month } = Temporal.PlainDate.from(day);
  const part = { month, quarter: Math.ceil(month / 3), year: 1 }[step];
  return `${year}-${part}`;
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
