import { byteString, type HttpResponse } from '../request-context.ts';

/** What is said where the app cannot be used until whoever runs the service has mended something. */
export function unavailable(words: string): HttpResponse {
  return toText(503, words, ['Retry-After', '60']);
}

/** What is said where the app is not, but may be looked for. */
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
