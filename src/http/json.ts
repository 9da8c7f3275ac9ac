import { byteString, type HttpResponse } from './request-context.ts';

/**
 * The headers of every answer to a request with an API key. The answer belongs to the key's owner, so no cache may keep it
 * without revalidating, and nothing in it may be shown or framed as a page.
 *
 * There is no `Referrer-Policy`, which would add a few percent to the fastest requests: JSON loads nothing. If a browser
 * turns URLs in it into links, the browser's own policy keeps the query, and a key in it, from other sites.
 */
export const keyedAnswerHeaders: readonly string[] = [
  'Cache-Control',
  'private, no-cache',
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
];

/** The headers of every JSON answer. */
export const jsonHeaders: readonly string[] = [
  'Content-Type',
  'application/json; charset=utf-8',
  ...keyedAnswerHeaders,
];

/** Returns a JSON response: a small one made for one request, or a constant one. */
export function json(status: number, value: unknown, headers: readonly string[] = []): HttpResponse {
  return jsonText(status, JSON.stringify(value), headers);
}

/** Returns a JSON response from text that is JSON already. */
export function jsonText(status: number, text: string, headers: readonly string[] = []): HttpResponse {
  const body = byteString(text);
  return { status, headers: jsonHeaders.concat('Content-Length', String(body.length), headers), body };
}
