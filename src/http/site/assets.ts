import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Content, etagOf } from '../content.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { commonHeaders, NOTHING_ALLOWED } from './headers.ts';
import { themeDefinitions } from './themes/index.ts';
import type { ThemeDefinition } from './themes/theme.ts';

/*
 * The style sheets and fonts of the themes, read once when the program starts. Each is served at a URL with the hash of its
 * content, so that clients may cache it forever. No page can have such a path, because no urlname is a single hyphen.
 */

const CACHE = ['Cache-Control', 'public, max-age=31536000, immutable', ...NOTHING_ALLOWED, ...commonHeaders];

/** A file that is served at an asset's URL. */
interface Asset {
  answer(ctx: RequestContext): HttpResponse | Promise<HttpResponse>;
}

const byPath = new Map<string, Asset>();
const addresses = new Map<string, string>();

const base = readFileSync(new URL('./themes/base.css', import.meta.url), 'utf8');
for (const theme of Object.values(themeDefinitions)) addStylesheet(theme);

/** Returns the asset at this path, or undefined if there is none. */
export function findAsset(path: string): Asset | undefined {
  return byPath.get(path);
}

/** Returns the URL of a theme's style sheet (`typographic.css`), or of a font file by its name in its package. */
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

/** Returns a font package's style sheet, with the URLs at which its fonts are served here. */
function fontFaces(stylesheet: string): string {
  const css = readFileSync(new URL(stylesheet), 'utf8');
  return css.replace(/url\((\.\/files\/[^)]+)\)/g, (_, file: string) => `url(${addFont(new URL(file, stylesheet))})`);
}

/** Adds a font file and returns its URL. Fonts are already compressed, so they are served as they are. */
function addFont(file: URL): string {
  const name = basename(file.pathname);
  const known = addresses.get(name);
  if (known !== undefined) return known;
  const bytes = readFileSync(file);
  // Previews have an opaque origin, and fonts from another origin need CORS permission.
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

/** Removes comments and insignificant white space. Strings and `url()` in our style sheets contain neither. */
function minified(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .replaceAll(';}', '}')
    .trim();
}
