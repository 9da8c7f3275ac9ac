import { strings } from './strings.ts';

/*
 * When something happened, in the zone that the reader's device is in: that is what their watch says. A date that is the
 * site's own, which visitors read, is in the zone of the site.
 */

const DAY_MS = 86_400_000;

/** When it was, for people: with the time of day, and the year where it is not this one. */
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

/** Which day it was, for a heading: near ones as people call them. */
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

/** The day on which it was, with the year. */
export function formatCalendarDate(time: number): string {
  return new Intl.DateTimeFormat(strings.locale, { dateStyle: 'medium' }).format(time);
}

/** The day `YYYY-MM-DD`, with the year. */
export function formatPlainDate(day: string): string {
  return formatCalendarDate(new Date(`${day}T00:00`).getTime());
}

export function formatClock(time: number): string {
  return new Intl.DateTimeFormat(strings.locale, { hour: '2-digit', minute: '2-digit' }).format(time);
}

/** A date that is the site's own, with the year; `isExact` to the second. */
export function formatDate(time: number, timeZone: string, isExact = false): string {
  const timeStyle = isExact ? 'medium' : 'short';
  return new Intl.DateTimeFormat(strings.locale, { dateStyle: 'medium', timeStyle, timeZone: known(timeZone) }).format(
    time,
  );
}

/** Whether the device is in that zone. */
export function isOwnZone(timeZone: string): boolean {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone === timeZone;
}

/** As a field for date and time takes it: `2026-11-21T15:04`. */
export function toLocalTime(time: number, timeZone: string): string {
  return new Date(time + offsetAt(time, timeZone)).toISOString().slice(0, 16);
}

/**
 * Returns milliseconds since 1970; undefined for an invalid time. A time that the clocks skip is moved forward, and of a time
 * that comes twice, it returns the first.
 */
export function fromLocalTime(text: string, timeZone: string): number | undefined {
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  // No clocks change twice in two days: one of these it is.
  const [before, after] = [offsetAt(asUtc - DAY_MS, timeZone), offsetAt(asUtc + DAY_MS, timeZone)];
  const isChanged = offsetAt(asUtc - before, timeZone) !== before && offsetAt(asUtc - after, timeZone) === after;
  return asUtc - (isChanged ? after : before);
}

/** In milliseconds, to be added to UTC. */
function offsetAt(time: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone: known(timeZone), timeZoneName: 'longOffset' }).formatToParts(
    time,
  );
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = /([+-])(\d+):(\d+)(?::(\d+))?/.exec(name) ?? [];
  const offset = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -offset : offset;
}

/** A zone that this browser has not heard of must not break the screen. */
function known(timeZone: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return timeZone;
  } catch {
    return 'UTC';
  }
}
