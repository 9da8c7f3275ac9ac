import { hash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { appStyle } from '../../brands/app-style.ts';
import { shownSize } from '../../brands/brand-image.ts';
import type { BrandLookup, ShownBrand } from '../../brands/shown-brand.ts';
import type { Config } from '../../config.ts';
import { escapeHtml } from '../../html.ts';
import { queryValue } from '../../query.ts';
import { type AppHost, byteString, type HttpResponse, type RequestContext } from '../request-context.ts';
import { SessionCookie } from '../session-cookie.ts';
import { accepts } from './files.ts';

/** The part of the configuration that the page depends on. */
export type IndexSettings = Pick<Config, 'publicUrl'>;

/**
 * Returns the handler for the app's HTML page, which is the answer at all URLs of the app. If the build has prerendered the first
 * view of a URL, the page contains it. Every request gets its own page, because the libraries that write style elements (Mantine,
 * CodeMirror) need a nonce that nobody can predict. Scripts come from files, except for a few lines that the policy allows by
 * their hashes.
 */
export function indexPage(
  folder: string,
  settings: IndexSettings,
  brands: BrandLookup,
): (ctx: RequestContext) => HttpResponse | Promise<HttpResponse> {
  const read = (name: string) => {
    const html = readFileSync(join(folder, name), 'utf8');
    return { html, scripts: hashesOfScripts(html) };
  };
  const index = read('index.html');
  const names = readdirSync(folder).filter((name) => name.endsWith('.html'));
  const pages = new Map(names.map((name) => [name, read(name)]));
  const answer = (ctx: RequestContext, brand?: ShownBrand): HttpResponse => {
    const nonce = randomBytes(16).toString('base64url');
    const { html, scripts } = pages.get(shellFileOf(ctx) ?? '') ?? index;
    const id = ctx.path.split('/').findLast(isNumber) ?? '';
    const filled = html.replaceAll('NONCE', nonce).replace(ID, (_, before: string) => before + id);
    const { body, headers } = compressed(withBrand(forAccount(filled, ctx), nonce, brand), ctx);
    return {
      status: 200,
      headers: [
        ...['Content-Type', 'text/html; charset=utf-8', ...headers, 'Vary', 'Accept-Encoding, Cookie'],
        ...['Cache-Control', 'no-cache', 'Content-Security-Policy', policy(nonce, scripts, settings)],
        ...['Referrer-Policy', 'same-origin', 'Cross-Origin-Opener-Policy', 'same-origin'],
        ...['Permissions-Policy', 'camera=(), microphone=(), geolocation=(), browsing-topics=()'],
      ],
      body,
    };
  };
  const cookie = new SessionCookie(settings.publicUrl);
  const findBrand = ({ query, request }: RequestContext) => {
    const account = queryValue(query, 'account')?.toLowerCase() ?? cookie.readSite(request);
    if (account !== undefined) return SUBDOMAIN.test(account) ? brands.bySubdomain(account) : undefined;
    // The cookie that names the site is only set by the app's first request to the API.
    const token = cookie.read(request);
    return token === undefined ? undefined : brands.bySession(token);
  };
  const brandAt = async (ctx: RequestContext, { accountId }: AppHost) =>
    (await findBrand(ctx)) ?? brands.ofAccount(accountId);

  return (ctx) => {
    const brand = ctx.appHost ? brandAt(ctx, ctx.appHost) : findBrand(ctx);
    return brand instanceof Promise ? brand.then((found) => answer(ctx, found)) : answer(ctx, brand);
  };
}

const SUBDOMAIN = /^[a-z0-9-]{1,63}$/;

/** Replaces the product's name, icon and logo in the built page by the brand's, and adds the brand's data for the app. */
function withBrand(html: string, nonce: string, brand: ShownBrand | undefined): string {
  if (!brand) return html;
  const { accent: _, ...shown } = brand;
  const style = appStyle(brand);
  const json = escapeHtml(JSON.stringify({ ...shown, style }));
  return html
    .replaceAll(PRODUCT, () => escapeHtml(brand.name))
    .replace(/<link rel="icon"[^>]*>/, `<link rel="icon" href="${brand.icon?.src ?? 'data:,'}">`)
    .replace(LOGO, (logo, height) => (brand.logo ? logosOf(brand, Number(height)) : logo))
    .replace('</head>', () => `<meta name="brand" content="${json}"><style nonce="${nonce}">${style}</style></head>`);
}

/** Matches the product's logo as the build renders it. admin/src/parts/logo.tsx renders the same replacement in the app. */
const LOGO = /<svg width="(\d+)"[^>]* data-product-logo.*?<\/svg>/g;

function logosOf({ name, logo, logoDark }: ShownBrand, height: number): string {
  const images = { light: logo, dark: logoDark };
  return Object.entries(images)
    .map(([scheme, image]) => {
      if (!image) return '';
      const size = shownSize(image, { width: 5 * height, height });
      return `<img data-brand-logo="${scheme}" src="${image.src}" alt="${escapeHtml(name)}" width="${size.width}" height="${size.height}"/>`;
    })
    .join('');
}

/** The product's name in the built pages. */
const PRODUCT = 'Freehold';

/** Adds the account in the URL to links, so that a link that is followed before the app has loaded keeps the account. */
function forAccount(html: string, { query }: RequestContext): string {
  const account = queryValue(query, 'account');
  if (!account) return html;
  return html.replace(/href="\/(?:sign-in|forgotten-password)(?=")/, (link) => {
    return `${link}?account=${encodeURIComponent(account)}`;
  });
}

/** Matches the placeholder for an id in the URLs that a prerendered page requests. */
const ID = /( href="\/admin\/[a-z/-]*\/)ID\b/g;

const publicPaths = new Set(['/sign-in', '/forgotten-password', '/reset-password', '/confirm-email']);

/** Returns the file name of the prerendered page for a URL; undefined for visitors who must sign in first. */
function shellFileOf({ path, request: { headers } }: RequestContext): string | undefined {
  if (!publicPaths.has(path) && !seemsSignedIn(headers)) return undefined;
  const parts = path.slice(1).split('/');
  return `${parts.map((part) => (isNumber(part) ? 'ID' : part)).join('-')}.html`;
}

function isNumber(part: string): boolean {
  return /^\d+$/.test(part);
}

/** True if the visitor seems to be signed in. The validity of the session is checked with the app's first request. */
export function seemsSignedIn({ cookie = '' }: IncomingHttpHeaders): boolean {
  return /(?:^|; *)(?:__Host-)?(?:session|freehold)=[\w-]/.test(cookie);
}

/**
 * A fast compression. Because of the nonce, each response is compressed anew, and anonymous clients must not make that costly:
 * quality 5 takes twice as long and saves a seventh.
 */
const FAST_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };

/** Compresses the page synchronously: it is small, so this takes less than half a millisecond. */
function compressed(
  html: string,
  { request: { headers } }: RequestContext,
): { body: string | Buffer; headers: string[] } {
  const accepted = headers['accept-encoding'] ?? '';
  if (accepts(accepted, 'br')) return encoded('br', brotliCompressSync(html, FAST_BROTLI));
  if (accepts(accepted, 'gzip')) return encoded('gzip', gzipSync(html));
  return { body: byteString(html), headers: ['Content-Length', String(Buffer.byteLength(html))] };
}

function encoded(encoding: string, body: Buffer): { body: Buffer; headers: string[] } {
  return { body, headers: ['Content-Length', String(body.length), 'Content-Encoding', encoding] };
}

/** Returns the hashes of the inline scripts as sources for the policy. */
function hashesOfScripts(html: string): string {
  return [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)]
    .map(([, script]) => ` 'sha256-${hash('sha256', script!, 'base64')}'`)
    .join('');
}

/** Returns the page's policy. The editors show images from any host. Frames are for previews, which have their own policy. */
function policy(nonce: string, scripts: string, { publicUrl }: IndexSettings): string {
  const insecure = publicUrl.startsWith('http:') ? ' http:' : '';
  return [
    "default-src 'none'",
    `script-src 'self'${scripts}`,
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
