import type { Logger } from 'pino';
import { isUnavailable } from '../../db/constraint.ts';
import { escapeHtml } from '../../html.ts';
import { byteString, type HttpResponse, type RequestContext } from '../request-context.ts';
import { plainHeaders } from './headers.ts';

/** The response for unknown hosts. It is the same for all of them, and names nothing. */
export const unknownHost = notice(
  404,
  'There is no website here',
  'The address may have a typo in it, or the website may have moved.',
);

export const methodNotAllowed = text(405, 'Method not allowed.\n', ['Allow', 'GET, HEAD']);

/**
 * Returns the response for a suspended account, which names its seller as a contact. With 503 and Retry-After, search
 * engines keep their index of the site and come back.
 */
export function suspended(seller: { name: string; url: string | null } | undefined): HttpResponse {
  const words = 'It cannot be visited at the moment. Please come back another day.';
  // One day in seconds.
  const retry = ['Retry-After', '86400'];
  if (!seller) return notice(503, SUSPENDED, words, retry);
  const name = `<bdi>${escapeHtml(seller.name)}</bdi>`;
  const contact = seller.url === null ? name : `<a href="${escapeHtml(seller.url)}">${name}</a>`;
  return notice(503, SUSPENDED, `${words} ${contact} can tell you more.`, retry);
}

const SUSPENDED = 'This site is taking a break';

/**
 * Returns a permanent redirect that keeps the method. Browsers revalidate it, because the owner may choose another home page
 * or primary domain.
 */
export function redirect(location: string): HttpResponse {
  return text(308, 'This page has moved.\n', ['Location', location]);
}

/** Returns a redirect to the current path of a page. Browsers revalidate it, because another page may take the old path. */
export function moved(location: string): HttpResponse {
  return text(301, 'This page has moved.\n', ['Location', location]);
}

/** Returns the response to a network that has searched too often. */
export function tooManySearches(resetIn: number): HttpResponse {
  return text(429, 'Too many searches. Please try again in a minute.\n', ['Retry-After', String(resetIn)]);
}

/** The response if too many searches of a site are already queued. */
export const searchBusy = text(503, 'Too many people are searching at the moment. Please try again.\n', [
  'Retry-After',
  '5',
]);

/** Logs an error and returns the response to it. */
export function siteFailure(error: unknown, log: Logger, ctx: RequestContext): HttpResponse {
  log.error({ requestId: ctx.id, err: error }, 'request failed');
  return isUnavailable(error)
    ? text(503, 'This cannot be shown at the moment. Please try again.\n', ['Retry-After', '5'])
    : text(500, 'The service failed to answer the request. Try again later.\n');
}

/** Returns a short HTML page that belongs to no site, readable on phones, too. */
function notice(status: number, title: string, words: string, more: readonly string[] = []): HttpResponse {
  return response(
    status,
    'text/html; charset=utf-8',
    `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>body{margin:0;min-height:100vh;display:grid;place-content:center;padding:1.5rem;box-sizing:border-box;font:1.125rem/1.6 system-ui,sans-serif;text-align:center}h1{font-size:1.75rem;line-height:1.25;margin:0 0 .75rem;text-wrap:balance}p{margin:0;max-width:30rem}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${words}</p>
</main>
</body>
</html>
`,
    more,
  );
}

function text(status: number, content: string, more: readonly string[] = []): HttpResponse {
  return response(status, 'text/plain; charset=utf-8', content, more);
}

function response(status: number, type: string, content: string, more: readonly string[]): HttpResponse {
  const body = byteString(content);
  return { status, headers: [...plainHeaders(type), 'Content-Length', String(body.length), ...more], body };
}
