import type { IncomingMessage } from 'node:http';

/**
 * True if a page of the admin app sent the request, judging by headers that browsers set and pages cannot forge. The cookie's
 * SameSite attribute is not enough: accounts' websites may be same-site with the app. Only the app's own origin is accepted.
 */
export function isSameOrigin({ method, headers }: IncomingMessage, origin: string): boolean {
  const from = headers['sec-fetch-site'];
  const changes = method !== 'GET' && method !== 'HEAD';
  // "none" means that a person typed the URL.
  if (from !== undefined) return from === 'same-origin' || (from === 'none' && !changes);
  // Over plain HTTP, browsers omit Sec-Fetch-Site, but send Origin with every request that can change something.
  return changes ? headers.origin === origin : headers.origin === undefined || headers.origin === origin;
}
