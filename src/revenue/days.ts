/** Returns the first millisecond after the day `YYYY-MM-DD` in the time zone. */
export function endOfDay(day: string, timeZone: string): number {
  return Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds;
}

/** Returns the first millisecond of the day `YYYY-MM-DD` in the time zone. */
export function startOfDay(day: string, timeZone: string): number {
  return Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds;
}

/** Returns today in the time zone, as `YYYY-MM-DD`. */
export function today(timeZone: string): string {
  return Temporal.Now.plainDateISO(timeZone).toString();
}

/** Returns the day of a moment in the time zone, as `YYYY-MM-DD`. */
export function dayAt(moment: number, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** True if the text is a day of the calendar in the form `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^(?:19|20|21)\d{2}-\d{2}-\d{2}$/.test(text)) return false;
  try {
    return Temporal.PlainDate.from(text).toString() === text;
  } catch {
    return false;
  }
}

/** Returns the first day of a report of twelve months, eight quarters or five years that ends on the day. */
export function beginningOfReport(until: string, step: 'month' | 'quarter' | 'year'): string {
  const month = Temporal.PlainDate.from(until).month - 1;
  return monthsBefore(until, { month: 11, quarter: 21 + (month % 3), year: 48 + month }[step]);
}

/** Returns the first day of the month that is `months` before the month of the day. */
export function monthsBefore(day: string, months: number): string {
  return Temporal.PlainDate.from(day).with({ day: 1 }).subtract({ months }).toString();
}

/** The time zone in which days begin first. */
export const FIRST_ZONE = 'Etc/GMT-14';

/** Returns the day that is `days` later. */
export function daysAfter(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

/** Returns the day that is `days` earlier. */
export function daysBefore(day: string, days: number): string {
  return Temporal.PlainDate.from(day).subtract({ days }).toString();
}
