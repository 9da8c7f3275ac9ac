import type { Db, Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { dayAt, isDay } from '../revenue/days.ts';
import { getTimeZone } from '../revenue/get-time-zone.ts';

/** Checks that the text is a day after today, in the account's time zone. @throws ValidationError */
export async function checkDay(db: Db | Trx, accountId: number, day: string): Promise<void> {
  if (!isDay(day)) throw new ValidationError([{ field: 'day', code: 'not_a_date' }]);
  if (day <= dayAt(Date.now(), await getTimeZone(db, accountId))) {
    throw new ValidationError([{ field: 'day', code: 'not_after_today' }]);
  }
}
