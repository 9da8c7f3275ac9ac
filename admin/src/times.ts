import { strings } from './strings.ts';

/* Times of events are in the time zone of the reader's device. Dates that visitors read are in the site's time zone. */

const DAY_MS = 86_400_000;

/** Formats a time with its date. The year is omitted if it is the current one. */
export function formatTime(time: number): string {
  const isThisYear = new Date(time).getFullYear() === new Date().getFullYear();
  return new Intl.DateTimeFormat(strings.locale, {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
  }).format(time);
}

/** Formats a day for a heading, with words for today and yesterday. */
export function formatDay(time: number): string {
  const midnight = (at: number) => new Date(at).setHours(0, 0, 0, 0);
  const daysAgo = Math.round((midnight(Date.now()) - midnight(time)) / DAY_MS);
  const { today, yesterday } = strings.times;
  if (daysAgo === 0) return today;
  if (daysAgo === 1) return yesterday;
  const isThisYear = new Date(time).getFullYear() === new Date().getFullYear();
  return new Intl.DateTimeFormat(strings.locale, {
    ...(isThisYear ? { weekday: 'long' } : { year: 'numeric' }),
    day: 'numeric',
    month: 'long',
  }).format(time);
}

/** Formats a date with the year. */
export function formatCalendarDate(time: number): string {
  return new Intl.DateTimeFormat(strings.locale, { dateStyle: 'medium' }).format(time);
}

/** Formats the date `YYYY-MM-DD` with the year. */
export function formatPlainDate(day: string): string {
  return formatCalendarDate(new Date(`${day}T00:00`).getTime());
}

export function formatClock(time: number): string {
  return new Intl.DateTimeFormat(strings.locale, { hour: '2-digit', minute: '2-digit' }).format(time);
}

/** Formats a date and time in the site's time zone, with the year. `isExact` adds the seconds. */
export function formatDate(time: number, timeZone: string, isExact = false): string {
  const timeStyle = isExact ? 'medium' : 'short';
  return new Intl.DateTimeFormat(strings.locale, {
    dateStyle: 'medium',
    timeStyle,
    timeZone: supportedTimeZone(timeZone),
  }).format(time);
}

/** True if the device is in this time zone. */
export function isOwnZone(timeZone: string): boolean {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone === timeZone;
}

/** Formats a time as the value of a date and time field: `2026-11-21T15:04`. */
export function toLocalTime(time: number, timeZone: string): string {
  return new Date(time + offsetAt(time, timeZone)).toISOString().slice(0, 16);
}

/**
 * Returns a local time in milliseconds since 1970, or undefined if it is invalid. A time that the clocks skip is moved
 * forward. For a time that occurs twice, returns the first.
 */
export function fromLocalTime(text: string, timeZone: string): number | undefined {
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  // Clocks do not change twice within two days, so the offset is one of these.
  const [before, after] = [offsetAt(asUtc - DAY_MS, timeZone), offsetAt(asUtc + DAY_MS, timeZone)];
  const isChanged = offsetAt(asUtc - before, timeZone) !== before && offsetAt(asUtc - after, timeZone) === after;
  return asUtc - (isChanged ? after : before);
}

/** Returns the time zone's offset from UTC in milliseconds. */
function offsetAt(time: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: supportedTimeZone(timeZone),
    timeZoneName: 'longOffset',
  }).formatToParts(time);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = /([+-])(\d+):(\d+)(?::(\d+))?/.exec(name) ?? [];
  const offset = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -offset : offset;
}

/** Returns the time zone, or UTC if this browser does not know it: an unknown zone must not break the screen. */
function supportedTimeZone(timeZone: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return timeZone;
  } catch {
    return 'UTC';
  }
}
