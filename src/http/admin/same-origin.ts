import type { IncomingMessage } from 'node:http';

/**
 * Whether a request was made by a page of our own, as browsers tell and pages cannot pretend. Accounts' sites may be of
 * the same site as we are, so that the SameSite of a cookie does not keep them out: only our own origin will do.
 */
export function isSameOrigin({ method, headers }: IncomingMessage, origin: string): boolean {
  const from = headers['sec-fetch-site'];
  const changes = method !== 'GET' && method !== 'HEAD';
  // "none" is a person who typed the address.
  if (from !== undefined) return from === 'same-origin' || (from === 'none' && !changes);
  // Browsers leave it out over plain HTTP, but name the origin of everything that can change something.
  return changes ? headers.origin === origin : headers.origin === undefined || headers.origin === origin;
}
