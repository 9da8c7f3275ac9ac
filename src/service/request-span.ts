import type { RequestContext } from '../http/request-context.ts';
import type { Span } from '../spans.ts';

/** Returns the span of a request that has just been answered. It has neither the query, which may hold a key, nor an address. */
export function requestSpan(ctx: RequestContext, status: number, milliseconds: number): Span {
  const { route, request, caller, person, siteAccountId, trace } = ctx;
  const method = request.method!;
  const end = performance.now();
  return {
    step: trace,
    // Paths that are no route's are named together: anyone can make up any number of them.
    name: route ? `${method} ${route}` : method,
    kind: 'server',
    start: end - milliseconds,
    end,
    attributes: {
      'http.request.method': method,
      'http.route': route || undefined,
      'http.response.status_code': status,
      'freehold.surface': surfaceOf(route),
      'freehold.account_id': caller?.accountId ?? person?.accountId ?? siteAccountId,
    },
    hasFailed: status >= 500,
  };
}

function surfaceOf(route: string): string | undefined {
  if (/^\/(?:api|mcp|oauth|\.well-known)\b/.test(route)) return 'api';
  if (route.startsWith('/admin/')) return 'admin';
  if (/^\/(?:healthz|readyz|metrics|internal)\b/.test(route)) return 'internal';
  // The site's and the app's have words for names.
  return route || undefined;
}
