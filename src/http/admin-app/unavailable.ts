import { byteString, type HttpResponse } from '../request-context.ts';

/** Returns the response for an app that cannot be used until the operator has fixed something. */
export function unavailableResponse(words: string): HttpResponse {
  return textResponse(503, words, ['Retry-After', '60']);
}

/** Returns the response for a host where users may look for the app, but which does not serve it. */
export function movedResponse(words: string): HttpResponse {
  return textResponse(404, words);
}

function textResponse(status: number, words: string, more: readonly string[] = []): HttpResponse {
  return {
    status,
    headers: [
      ...['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(Buffer.byteLength(words))],
      ...['Cache-Control', 'no-cache', ...more],
    ],
    body: byteString(words),
  };
}
