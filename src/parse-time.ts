const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;
const LISTED_TIME = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d\d) (\d\d:\d\d:\d\d) UTC (\d{4})$/;

/** Returns a time in milliseconds since 1970; not a number for what is none. */
export function parseTime(text: string): number {
  const trimmed = text.trim();
  if (ISO_TIME.test(trimmed)) return Date.parse(trimmed);
  const [, month, day, time, year] = LISTED_TIME.exec(trimmed) ?? [];
  return month === undefined ? Number.NaN : Date.parse(`${day} ${month} ${year} ${time} GMT`);
}
