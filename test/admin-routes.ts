import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An address of the admin app, and the module of its screen if that module is loaded lazily. */
export interface AdminRoute {
  readonly path: string;
  readonly module: string | undefined;
}

/** The most compressed JavaScript that a first visit may load. Editors may load more later. */
export const MAX_SCRIPT_BYTES = 300_000;

export const EDITOR = 'src/screens/editor/editor-screen.tsx';

const file = join(import.meta.dirname, '..', 'admin', 'src', 'app.tsx');

/** Reads the app's routes from their source: they are JSX elements, which Node cannot load. */
export function readAdminRoutes(source = readFileSync(file, 'utf8')): AdminRoute[] {
  const lazy = new Map(
    [...source.matchAll(/const (\w+) = (?:permitted\('\w+', )?screens\['([^']+)'\]\)?;/g)].map(named),
  );
  if (lazy.size !== source.split('screens[').length - 1 || /\bimport\(|\blazy\(/.test(source)) {
    throw new Error('app.tsx comes by a screen in another way');
  }
  const routes = source
    .split('<Route')
    .slice(1)
    // A `path` that is a regular expression redirects from several screens and is not a screen of its own.
    .filter((route) => /^\s+path\b(?!=\{\/)/.test(route))
    .map((route) => {
      const path = /^\s+path="([^"]+)"/.exec(route)?.[1];
      const [element] = route.split(/<\/(?:Route|Switch)>/);
      const names = [...element!.matchAll(/component=\{(\w+)\}|<([A-Z]\w*)/g)].map(([, name, tag]) => name ?? tag!);
      const screen = names.find((name) => lazy.has(name)) ?? names[0];
      if (!path || !screen) throw new Error(`This route of app.tsx cannot be read: <Route${element}`);
      return { path, screen };
    });
  const unused = [...lazy.keys()].filter((name) => !routes.some(({ screen }) => screen === name));
  if (unused.length > 0) throw new Error(`app.tsx has no route to ${unused}`);
  return routes.map(({ path, screen }) => ({ path, module: lazy.get(screen) }));
}

function named([, name, path]: RegExpMatchArray): [string, string] {
  return [name!, `src/screens/${path}.tsx`];
}

/** True if the route matches the address. */
export function leadsTo(route: AdminRoute, address: string): boolean {
  const pattern = route.path.replace(/\/:\w+\?/g, '(?:/[^/]+)?').replace(/:\w+/g, '[^/]+');
  return new RegExp(`^${pattern}$`).test(new URL(address, 'http://localhost').pathname);
}
