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

/** The configuration that the page's policy depends on. */
export type IndexSettings = Pick<Config, 'publicUrl'>;

/**
 * The one page of the app, for all of its addresses; where the build has written what an address shows at first, with
 * that. It is made for every request, because the libraries that write style elements (Mantine, CodeMirror) need a
 * nonce nobody can know before; scripts come from files, but for those few lines that the policy knows by their hash.
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
    const { html, scripts } = pages.get(shellOf(ctx) ?? '') ?? index;
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
    // The cookie for the site comes with the first call of the app.
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

/** Puts a brand in the place of the product's name and icon, which the build has written, and into the page for the app. */
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

/** The product's logo, as the build renders it: see admin/src/parts/logo.tsx, which renders the same instead. */
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

/** The name in the files of the build. */
const PRODUCT = 'Freehold';

/** A link that is followed before the app has loaded must keep the account that the URL names. */
function forAccount(html: string, { query }: RequestContext): string {
  const account = queryValue(query, 'account');
  if (!account) return html;
  return html.replace(/href="\/(?:sign-in|forgotten-password)(?=")/, (link) => {
    return `${link}?account=${encodeURIComponent(account)}`;
  });
}

/** The place of a number in what a shell requests. */
const ID = /( href="\/admin\/[a-z/-]*\/)ID\b/g;

const doors = new Set(['/sign-in', '/forgotten-password', '/reset-password', '/confirm-email']);

/** Returns the file that the address starts with. Screens behind the sign-in are only for visitors who seem to be signed in. */
function shellOf({ path, request: { headers } }: RequestContext): string | undefined {
  if (!doors.has(path) && !maySeeMore(headers)) return undefined;
  const parts = path.slice(1).split('/');
  return `${parts.map((part) => (isNumber(part) ? 'ID' : part)).join('-')}.html`;
}

function isNumber(part: string): boolean {
  return /^\d+$/.test(part);
}

/** Tells whether the visitor seems to be signed in; whether the session is valid is checked with the first request. */
export function maySeeMore({ cookie = '' }: IncomingHttpHeaders): boolean {
  return /(?:^|; *)(?:__Host-)?(?:session|freehold)=[\w-]/.test(cookie);
}

/** The nonce makes each answer another one, which no stranger is to make costly: quality 5 takes twice as long, for a seventh. */
const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };

/** The page is small enough to be compressed at once: it takes less than half a millisecond. */
function compressed(
  html: string,
  { request: { headers } }: RequestContext,
): { body: string | Buffer; headers: string[] } {
  const accepted = headers['accept-encoding'] ?? '';
  if (accepts(accepted, 'br')) return packed('br', brotliCompressSync(html, quickly));
  if (accepts(accepted, 'gzip')) return packed('gzip', gzipSync(html));
  return { body: byteString(html), headers: ['Content-Length', String(Buffer.byteLength(html))] };
}

function packed(encoding: string, body: Buffer): { body: Buffer; headers: string[] } {
  return { body, headers: ['Content-Length', String(body.length), 'Content-Encoding', encoding] };
}

/** Returns the hashes of the scripts in the form of the policy. */
function hashesOfScripts(html: string): string {
  return [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)]
    .map(([, script]) => ` 'sha256-${hash('sha256', script!, 'base64')}'`)
    .join('');
}

/** The editors show images from anywhere. Frames are for previews alone, which bring a policy of their own. */
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
