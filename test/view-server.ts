import type { AddressInfo } from 'node:net';
import { createServer } from '../src/http/node-http.ts';
import { findAsset } from '../src/http/site/assets.ts';
import { accentStyle } from '../src/http/site/colour.ts';
import { renderDocument } from '../src/http/site/document.ts';
import { favicon } from '../src/http/site/favicon.ts';
import { themeDefinitions } from '../src/http/site/themes/index.ts';
import type { PageView } from '../src/http/site/view.ts';
import type { Theme } from '../src/sites/site.ts';
import { siteViews } from './site-views.ts';

export type ViewName = keyof typeof siteViews;

export interface ViewServer<Name extends string = ViewName> extends AsyncDisposable {
  /** Returns the address of a view in a theme. */
  url: (theme: Theme, view: Name) => string;
}

/** Returns the view in the given theme. */
export function inTheme(view: PageView, theme: Theme): PageView {
  return { ...view, site: { ...view.site, theme } };
}

const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 400" preserveAspectRatio="xMidYMid slice"><rect width="600" height="400" fill="#cdd8dc"/><path d="M0 300 Q150 250 300 290 T600 270 V400 H0Z" fill="#7d8f6a"/><path d="M150 300 V150 L300 70 L450 150 V300 M150 150 H450 M220 300 V150 M380 300 V150 M150 200 L220 150 M450 200 L380 150" fill="none" stroke="#6b4a2f" stroke-width="14"/></svg>`;

/** Returns the drawing; its sky differs for images whose hash ends in an even digit. */
function drawn(path: string): string {
  return /[02468]-\d+x/.test(path) ? picture.replace('#cdd8dc', '#e6cfa8') : picture;
}

/** Serves views with their style sheets and fonts, under the policy that sites have. */
export async function serveViews(): Promise<ViewServer>;
export async function serveViews<Name extends string>(views: Record<Name, PageView>): Promise<ViewServer<Name>>;
export async function serveViews(views: Record<string, PageView> = siteViews): Promise<ViewServer<string>> {
  const server = createServer(async (request, response) => {
    const path = request.url!.split('?')[0]!;
    const asset = findAsset(path);
    if (asset) {
      const { status, headers, body } = await asset.answer({ request } as Parameters<typeof asset.answer>[0]);
      response.writeHead(status, [...headers]).end(body as Buffer | string, 'latin1');
      return;
    }
    if (path.endsWith('.svg') || path.startsWith('/media/')) {
      const svg = path === '/favicon.svg' ? favicon('Harrow', '#b4532a') : drawn(path);
      response.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end(svg);
      return;
    }
    const [, theme, name] = path.split('/') as [string, Theme, string];
    const view = views[name];
    if (!view || !themeDefinitions[theme]) {
      response.writeHead(404).end();
      return;
    }
    const { hash } = accentStyle(view.site.accent, themeDefinitions[theme]);
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'self' ${hash}; img-src 'self'; font-src 'self'; frame-src about:`,
    });
    response.end(renderDocument(inTheme(view, theme)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (theme, view) => `http://127.0.0.1:${port}/${theme}/${view}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
