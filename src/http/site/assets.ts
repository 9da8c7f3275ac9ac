import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Content, etagOf } from '../content.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { always, NOTHING_ALLOWED } from './headers.ts';
import { themeDefinitions } from './themes/index.ts';
import type { ThemeDefinition } from './themes/theme.ts';

/*
 * The style sheets and fonts of the themes, read once when the program starts. Each is served at an address that has
 * its content's hash in it, so that clients may keep it for good. No page can be there: urlnames have no lone hyphen.
 */

const CACHE = ['Cache-Control', 'public, max-age=31536000, immutable', ...NOTHING_ALLOWED, ...always];

/** The content of an asset's URL. */
interface Asset {
  answer(ctx: RequestContext): HttpResponse | Promise<HttpResponse>;
}

const byPath = new Map<string, Asset>();
const addresses = new Map<string, string>();

const base = readFileSync(new URL('./themes/base.css', import.meta.url), 'utf8');
for (const theme of Object.values(themeDefinitions)) addStylesheet(theme);

/** The asset of this path, if there is one. */
export function findAsset(path: string): Asset | undefined {
  return byPath.get(path);
}

/** The address of a theme's style sheet (`typographic.css`) or of a font file by its name in its package. */
export function assetUrl(name: string): string {
  const address = addresses.get(name);
  if (address === undefined) throw new Error(`there is no asset ${name}`);
  return address;
}

function addStylesheet(theme: ThemeDefinition): void {
  const fonts = theme.fonts.map(fontFaces);
  const css = minified(
    [...fonts, base, ...theme.stylesheets.map((url) => readFileSync(new URL(url), 'utf8'))].join('\n'),
  );
  const bytes = Buffer.from(css);
  const headers = ['Content-Type', 'text/css; charset=utf-8', ...CACHE];
  add(`${theme.name}.css`, bytes, new Content(bytes, headers, etagOf(bytes)));
}

/** A font package's style sheet, with the addresses its fonts have here. */
function fontFaces(stylesheet: string): string {
  const css = readFileSync(new URL(stylesheet), 'utf8');
  return css.replace(/url\((\.\/files\/[^)]+)\)/g, (_, file: string) => `url(${addFont(new URL(file, stylesheet))})`);
}

/** Fonts are compressed in themselves. */
function addFont(file: URL): string {
  const name = basename(file.pathname);
  const known = addresses.get(name);
  if (known !== undefined) return known;
  const bytes = readFileSync(file);
  // Previews have no origin of their own, and fonts need permission for other origins.
  const headers = [
    ...['Content-Type', 'font/woff2', ...CACHE, 'Content-Length', String(bytes.length)],
    ...['Access-Control-Allow-Origin', '*'],
  ];
  return add(name, bytes, { answer: () => ({ status: 200, headers, body: bytes }) });
}

function add(name: string, bytes: Buffer, asset: Asset): string {
  const dot = name.lastIndexOf('.');
  const path = `/-/${name.slice(0, dot)}.${hash('sha256', bytes, 'hex').slice(0, 12)}${name.slice(dot)}`;
  byPath.set(path, asset);
  addresses.set(name, path);
  return path;
}

/** Without comments and white space that mean nothing. Strings and `url()` in our style sheets hold neither. */
function minified(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .replaceAll(';}', '}')
    .trim();
}
