/** Returns a page's time, in C's asctime order with the zone before the year: `Wed Apr 09 08:56:03 UTC 2003`. */
export function pageTime(milliseconds: number): string {
  // The times of a page are often identical.
  if (milliseconds !== last.milliseconds) last = { milliseconds, text: formatPageTime(milliseconds) };
  return last.text;
}

let last = { milliseconds: 0, text: formatPageTime(0) };

function formatPageTime(milliseconds: number): string {
  // "Wed, 09 Apr 2003 08:56:03 GMT"
  const text = new Date(milliseconds).toUTCString();
  return `${text.slice(0, 3)} ${text.slice(8, 11)} ${text.slice(5, 7)} ${text.slice(17, 25)} UTC ${text.slice(12, 16)}`;
}

/** Returns an account's time: `2003-04-09 08:56:03 +0000`. */
export function accountTime(milliseconds: number): string {
  // "2003-04-09T08:56:03.000Z"
  const text = new Date(milliseconds).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)} +0000`;
}

/** Returns a time in ISO 8601, or null for null. */
export function isoTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
