import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { type Answer, byteString } from '../exchange.ts';

/** What of the configuration the page's policy depends on. */
export type IndexSettings = Pick<Config, 'publicUrl'>;

/**
 * The one page of the app, for all of its addresses. It is made for every request, because the libraries that write
 * style elements (Mantine, CodeMirror) need a nonce nobody can know before; scripts come from files alone.
 */
export function indexPage(file: string, settings: IndexSettings): (status: number) => Answer {
  const html = readFileSync(file, 'utf8');
  return (status) => {
    const nonce = randomBytes(16).toString('base64url');
    const body = html.replaceAll('NONCE', nonce);
    return {
      status,
      headers: [
        ...['Content-Type', 'text/html; charset=utf-8', 'Content-Length', String(Buffer.byteLength(body))],
        ...['Cache-Control', 'no-cache', 'Content-Security-Policy', policy(nonce, settings)],
        ...['Referrer-Policy', 'same-origin', 'Cross-Origin-Opener-Policy', 'same-origin'],
        ...['Permissions-Policy', 'camera=(), microphone=(), geolocation=(), browsing-topics=()'],
      ],
      body: byteString(body),
    };
  };
}

/** The editors show images from anywhere. Frames are for previews alone, which bring a policy of their own. */
function policy(nonce: string, { publicUrl }: IndexSettings): string {
  const insecure = publicUrl.startsWith('http:') ? ' http:' : '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "connect-src 'self'",
    `img-src 'self' blob: data: https:${insecure}`,
    "media-src 'self' https:",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
