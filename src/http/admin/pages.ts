import { snapshot } from '../../db/snapshot.ts';
import { createPage } from '../../pages/create-page.ts';
import { listChildren } from '../../pages/list-children.ts';
import { countPageBytes, countSearchedBytes } from '../../pages/page-bytes.ts';
import { refreshSearch } from '../../pages/search-index.ts';
import { searchPages } from '../../pages/search-pages.ts';
import { planUpdate, updatePage } from '../../pages/update-page.ts';
import { findHomePage } from '../../sites/navigation.ts';
import { createPageInput, pageChildrenQuery, pageSearchQuery, updatePageInput } from './contract/pages.ts';
import type { PageChildrenJson, PageSearchJson, UpdatePreviewJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { changeReportingHomePage } from './home-page.ts';
import { pageTag, readPageJson } from './page-json.ts';
import { changeResponse, onPage, readIfMatch, requireIfMatch } from './page-request.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, type NoInput, route, type SignedInRequest } from './route.ts';

/** The maximum number of listed pages. It is high because a client far down a long list reloads all of it. */
const MAX_PAGE_SIZE = 2000;

/** The maximum length of a search: longer than any path that a person types. */
const MAX_SEARCH_CHARACTERS = 500;

/** How many pages a search indexes before it responds, and how many afterwards. */
const MAX_INDEXED_BEFORE = 200;
const MAX_INDEXED_AFTER = 2000;

/** Accounts whose pages are being indexed in the background. */
const indexing = new Set<number>();

type PageDependencies = Pick<RouteDependencies, 'db' | 'config' | 'background'>;

/** Returns the routes that find, read, create and change pages. */
export function pageRoutes(dependencies: PageDependencies): AdminRoute[] {
  const { db } = dependencies;
  return [
    route('GET /admin/pages', {
      needs: 'view_pages',
      query: pageChildrenQuery,
      handle: async ({ sessionOwner: { accountId, userId }, query }) => {
        const input = { ...query, limit: Math.max(1, Math.min(query.limit, MAX_PAGE_SIZE)), userId };
        const children = await snapshot(db, (trx) => listChildren(trx, accountId, input));
        return jsonResponse(200, children satisfies PageChildrenJson);
      },
    }),
    route('GET /admin/pages/search', {
      mayRunInThread: true,
      countTexts: countSearchedBytes,
      needs: 'view_pages',
      query: pageSearchQuery,
      handle: (request) => search(dependencies, request),
    }),
    route('GET /admin/pages/:id', {
      mayRunInThread: true,
      countTexts: countPageBytes,
      needs: 'view_pages',
      handle: async ({ sessionOwner, id }) => {
        const page = await snapshot(db, (trx) => readPageJson(trx, sessionOwner, id));
        return jsonResponse(200, page, pageTag(page.version));
      },
    }),
    route('POST /admin/pages', {
      takes: 'page',
      mayRunInThread: true,
      needs: 'administer_pages',
      body: createPageInput,
      handle: (request) => onPage(db, request, () => create(dependencies, request)),
    }),
    route('PATCH /admin/pages/:id', {
      takes: 'page',
      mayRunInThread: true,
      countTexts: countPageBytes,
      needs: 'edit_pages',
      body: updatePageInput,
      handle: (request) => onPage(db, request, () => update(dependencies, request)),
    }),
  ];
}

async function search(
  { db, background }: PageDependencies,
  { sessionOwner, query }: SignedInRequest<NoInput, typeof pageSearchQuery>,
) {
  const text = query.q.slice(0, MAX_SEARCH_CHARACTERS);
  // Index first, so that recent changes are found. If too many pages wait, a background task indexes the rest.
  const { accountId } = sessionOwner;
  const isIndexed = await refreshSearch(db, accountId, MAX_INDEXED_BEFORE);
  if (!isIndexed && !indexing.has(accountId)) {
    indexing.add(accountId);
    background.run('indexing pages', () =>
      refreshSearch(db, accountId, MAX_INDEXED_AFTER).finally(() => indexing.delete(accountId)),
    );
  }
  const found: PageSearchJson = await snapshot(db, async (trx) => {
    const { pages, hasMore } = await searchPages(trx, accountId, text, isIndexed);
    const home = await findHomePage(trx, accountId);
    return { pages: pages.map((page) => ({ ...page, isHome: page.id === home?.id })), hasMore };
  });
  return jsonResponse(200, found);
}

async function create({ db, config }: PageDependencies, request: SignedInRequest<typeof createPageInput>) {
  const { sessionOwner, body, change } = request;
  const input = {
    name: body.name,
    body: body.body,
    bodyFormat: body.bodyFormat,
    description: body.description ?? undefined,
    isHidden: body.isHidden?.toString(),
    parentId: body.parentId?.toString(),
    isPublished: 'false',
    userId: sessionOwner.userId,
    ip: request.ctx.ip,
    quota: config.pageQuota,
  };
  const id = await change((trx) => createPage(trx, sessionOwner.accountId, input));
  const page = await snapshot(db, (trx) => readPageJson(trx, sessionOwner, id));
  return jsonResponse(201, page, [...pageTag(page.version), 'Location', `/admin/pages/${id}`]);
}

async function update({ db, config }: PageDependencies, request: SignedInRequest<typeof updatePageInput>) {
  const { sessionOwner, actor, id } = request;
  const { preview, ...fields } = request.body;
  if (preview) {
    const plan = { id, basedOn: readIfMatch(request), fields };
    const { changedUrlCount, urlname } = await snapshot(db, (trx) => planUpdate(trx, sessionOwner.accountId, plan));
    return jsonResponse(200, { changedAddresses: changedUrlCount, urlname } satisfies UpdatePreviewJson);
  }
  const input = { id, basedOn: requireIfMatch(request), fields, quota: config.pageQuota };
  const done = await changeReportingHomePage(request, (trx) => updatePage(trx, sessionOwner.accountId, input, actor));
  return changeResponse(db, request, id, done);
}
