import { byteString, type HttpResponse } from '../request-context.ts';

/** Returns the response for an app that cannot be used until the operator has fixed something. */
export function unavailable(words: string): HttpResponse {
  return toText(503, words, ['Retry-After', '60']);
}

/** Returns the response at a host where the app may be looked for, but is not. */
export function elsewhere(words: string): HttpResponse {
  return toText(404, words);
}

function toText(status: number, words: string, more: readonly string[] = []): HttpResponse {
  return {
    status,
    headers: [
      ...['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(Buffer.byteLength(words))],
      ...['Cache-Control', 'no-cache', ...more],
    ],
    body: byteString(words),
  };
}
