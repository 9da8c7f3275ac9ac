import type { Trx } from '../../db/database.ts';
import { partOf } from '../../db/part-of.ts';
import { snapshot } from '../../db/snapshot.ts';
import { notFound, ValidationError } from '../../errors.ts';
import { addRedirect, listLatestRedirects, removeRedirect } from '../../pages/page-redirects.ts';
import { pathFromRoot, pathsOf } from '../../pages/subtree.ts';
import { findCoveredPaths } from '../../sites/covered-paths.ts';
import { readRedirectPath } from '../../sites/redirect-path.ts';
import { changeById } from './change-by-id.ts';
import { addRedirectInput } from './contract/redirects.ts';
import type { AddedRedirectJson, RedirectsJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

/** How many redirects of a page are listed. */
const MAX_SHOWN = 100;

/** Returns the routes for redirects to a page. */
export function redirectRoutes({ db }: Pick<RouteDependencies, 'db'>): AdminRoute[] {
  return [
    route('GET /admin/pages/:id/redirects', {
      needs: 'view_pages',
      handle: async ({ id, sessionOwner: { accountId } }) =>
        jsonResponse(200, await snapshot(db, (trx) => listOfPage(trx, accountId, id))),
    }),
    route('POST /admin/pages/:id/redirects', {
      needs: 'edit_pages',
      body: addRedirectInput,
      handle: async ({ id: pageId, sessionOwner: { accountId }, actor, body, change }) => {
        const path = readRedirectPath(pathOf(body.path));
        if (typeof path !== 'string') throw new ValidationError([{ field: 'path', ...path }]);
        const added: AddedRedirectJson = await change(async (trx) => {
          const present = await getPath(trx, accountId, pageId);
          // The list would not show such a redirect.
          if (path === present) throw new ValidationError([{ field: 'path', code: 'own_path' }]);
          const { id, formerPageId } = await addRedirect(trx, accountId, { path, pageId }, actor);
          const isCovered = (await findCoveredPaths(trx, accountId, [path])).has(path);
          const former = formerPageId === undefined ? [] : await pathFromRoot(trx, accountId, formerPageId);
          return { id, path, isCovered, formerPage: former.at(-1)?.name ?? null };
        });
        return jsonResponse(201, added);
      },
    }),
    route('DELETE /admin/redirects/:id', {
      needs: 'edit_pages',
      handle: changeById(removeRedirect),
    }),
  ];
}

/** Returns the path that the page has now. @throws AppError `not_found` */
async function getPath(trx: Trx, accountId: number, pageId: number): Promise<string> {
  const path = (await pathsOf(trx, accountId, [pageId])).get(pageId);
  if (path === undefined) throw notFound('The page');
  return path;
}

async function listOfPage(trx: Trx, accountId: number, pageId: number): Promise<RedirectsJson> {
  const present = await getPath(trx, accountId, pageId);
  // A page that got a former path back has a redirect from its own path.
  const found = await listLatestRedirects(trx, accountId, { pageId, except: present, limit: MAX_SHOWN + 1 });
  const { shown, hasMore } = partOf(found, MAX_SHOWN);
  const paths = shown.map(({ path }) => path);
  const covered = await findCoveredPaths(trx, accountId, paths);
  return {
    redirects: shown.map(({ id, path }) => ({ id, path, isCovered: covered.has(path) })),
    hasMore,
  };
}

/** Returns the path and query of user input: a full URL, or a path with or without its leading slash. */
function pathOf(written: string): string {
  const text = written.trim();
  // Some browsers show and copy URLs without their scheme.
  const address = /^www\.[^/?]+\.[^/?]/i.test(text) ? `https://${text}` : text;
  const url = /^https?:\/\//i.test(address) ? URL.parse(address) : null;
  if (url) return url.pathname + url.search;
  return text === '' || text.startsWith('/') ? text : `/${text}`;
}
