import type { Db } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { beginningOfReport, isDay, monthsBefore, today } from './days.ts';
import { getTimeZone } from './get-time-zone.ts';
import type { Days, RevenueStep } from './revenue-report.ts';

const MAX_MONTHS = 120;

interface DaysQuery {
  from?: string | undefined;
  to?: string | undefined;
  step?: RevenueStep | undefined;
}

/**
 * Reads the days of a request for revenue; by default, those of a whole report until today.
 * @throws AppError `malformed`
 */
export async function readRevenueDays(db: Db, accountId: number, query: DaysQuery): Promise<Days> {
  const to = query.to ?? today(await getTimeZone(db, accountId));
  checkDay('to', to);
  const from = query.from ?? beginningOfReport(to, query.step ?? 'month');
  checkDay('from', from);
  if (from > to) throw new AppError('malformed', '"from" is after "to".');
  if (from < monthsBefore(to, MAX_MONTHS)) throw new AppError('malformed', `A range has at most ${MAX_MONTHS} months.`);
  return { from, to };
}

/** Checks that the text is a day. @throws AppError `malformed` */
export function checkDay(name: string, text: string | undefined): void {
  if (text !== undefined && !isDay(text)) throw new AppError('malformed', `"${name}" must be a day like 2026-06-30.`);
}
