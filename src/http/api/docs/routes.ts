import { readFileSync } from 'node:fs';
import { Content, etagOf } from '../../content.ts';
import type { RequestHandler } from '../../request-context.ts';
import type { DescribedConfig } from '../common-failures.ts';
import { failure } from '../failure.ts';
import { openApi } from '../openapi.ts';

/** Caches revalidate these answers each time, so that a new release is visible at once. */
const CACHE = ['Cache-Control', 'public, no-cache'];

const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Returns the handler of the API's documentation, for programs and for people. It needs no key. */
export function docsSurface(config: DescribedConfig): RequestHandler {
  const contents: Record<string, () => Promise<Content>> = {
    '/api/openapi.json': once(async () =>
      content(JSON.stringify(openApi(config)), 'application/json; charset=utf-8', [
        // Browser tools may load it from any origin: it has no secrets.
        'Access-Control-Allow-Origin',
        '*',
      ]),
    ),
    '/api/docs': once(async () => {
      // Imported here because it loads the Markdown parser, which other requests do not need.
      const { docsPage } = await import('./page.ts');
      return content(docsPage(config), 'text/html; charset=utf-8', [], PAGE_POLICY);
    }),
    '/api/docs/docs.css': once(async () => content(file('docs.css'), 'text/css; charset=utf-8')),
    '/api/docs/docs.js': once(async () => content(file('docs.js'), 'text/javascript; charset=utf-8')),
    '/api/docs/icon.svg': once(async () => content(file('icon.svg'), 'image/svg+xml')),
  };

  return (ctx) => {
    const { path, request } = ctx;
    if (path === '/api/docs/') {
      // The location is relative, like every link of the page, because a proxy may serve it below a path.
      return { status: 308, headers: ['Location', '../docs', 'Content-Length', '0'], body: '' };
    }
    if (!Object.hasOwn(contents, path)) return undefined;
    ctx.route = path;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return failure(405, 'Method not allowed.', ['Allow', 'GET, HEAD']);
    }
    return contents[path]!().then((made) => made.answer(ctx));
  };
}

function content(
  text: string,
  type: string,
  more: readonly string[] = [],
  policy = "default-src 'none'; frame-ancestors 'none'",
): Content {
  const headers = ['Content-Type', type, ...CACHE, 'Content-Security-Policy', policy, 'Referrer-Policy', 'no-referrer'];
  return new Content(Buffer.from(text), [...headers, ...more], etagOf(text));
}

function file(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

/** Returns a function that calls `make` on its first call, and returns the same result ever after. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
