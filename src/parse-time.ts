const ISO_TIME = /^(\d{4}-\d\d-(\d\d))T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;
const LISTED_TIME = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d\d) (\d\d:\d\d:\d\d) UTC (\d{4})$/;

/** Returns a time in milliseconds since 1970; NaN if the text is not a time. */
export function parseTime(text: string): number {
  const trimmed = text.trim();
  const [, date, dayOfDate] = ISO_TIME.exec(trimmed) ?? [];
  if (date !== undefined) return hasDay(Date.parse(date), dayOfDate!) ? Date.parse(trimmed) : Number.NaN;
  const [, month, day, time, year] = LISTED_TIME.exec(trimmed) ?? [];
  const listed = month === undefined ? Number.NaN : Date.parse(`${day} ${month} ${year} ${time} GMT`);
  return hasDay(listed, day!) ? listed : Number.NaN;
}

/** Returns true if the time has the given day of the month: `Date.parse` reads 30 February as 2 March. */
function hasDay(time: number, day: string): boolean {
  return new Date(time).getUTCDate() === Number(day);
}
