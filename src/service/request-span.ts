import type { RequestContext } from '../http/request-context.ts';
import type { Span } from '../spans.ts';

/** Returns the span of an answered request. Leaves out the query, which may contain a key, and the address. */
export function requestSpan(ctx: RequestContext, status: number, milliseconds: number): Span {
  const { route, request, keyOwner, sessionOwner, siteAccountId, trace } = ctx;
  const method = request.method!;
  const end = performance.now();
  return {
    step: trace,
    // Paths without a route share a name, since clients can invent any number of them.
    name: route ? `${method} ${route}` : method,
    kind: 'server',
    start: end - milliseconds,
    end,
    attributes: {
      'http.request.method': method,
      'http.route': route || undefined,
      'http.response.status_code': status,
      'freehold.surface': surfaceOf(route),
      'freehold.account_id': keyOwner?.accountId ?? sessionOwner?.accountId ?? siteAccountId,
    },
    hasFailed: status >= 500,
  };
}

function surfaceOf(route: string): string | undefined {
  if (/^\/(?:api|mcp|oauth|\.well-known)\b/.test(route)) return 'api';
  if (route.startsWith('/admin/')) return 'admin';
  if (/^\/(?:healthz|readyz|metrics|internal)\b/.test(route)) return 'internal';
  // The routes of sites and of the app are plain words, which serve as the name.
  return route || undefined;
}
