import { byteString, type HttpResponse } from './request-context.ts';

/**
 * The headers of every answer to the holder of a key. It belongs to the holder of the key, so no cache may keep it unasked, and
 * nothing of it is a page to be shown or framed.
 *
 * There is no `Referrer-Policy`, which would cost a few percent of an answer's time on the way that must be the fastest:
 * JSON loads nothing, and where a browser makes links of it, its own policy keeps the query, and a key in it, from others.
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

/** A small answer made for one request, or one that is always the same. */
export function json(status: number, value: unknown, headers: readonly string[] = []): HttpResponse {
  return jsonText(status, JSON.stringify(value), headers);
}

/** Like `json`, for text that is JSON already. */
export function jsonText(status: number, text: string, headers: readonly string[] = []): HttpResponse {
  const body = byteString(text);
  return { status, headers: jsonHeaders.concat('Content-Length', String(body.length), headers), body };
}
