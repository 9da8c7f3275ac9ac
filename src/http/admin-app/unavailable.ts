import { type Answer, byteString } from '../exchange.ts';

/** What is said where the app cannot be used until whoever runs the service has mended something. */
export function unavailable(words: string): Answer {
  return {
    status: 503,
    headers: [
      ...['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(Buffer.byteLength(words))],
      ...['Cache-Control', 'no-cache', 'Retry-After', '60'],
    ],
    body: byteString(words),
  };
}
