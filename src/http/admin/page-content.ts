import { partOf } from '../../db/part-of.ts';
import { snapshot } from '../../db/snapshot.ts';
import { discardDraft, saveDraft } from '../../pages/drafts.ts';
import { countPageBytes, countRevisionBytes } from '../../pages/page-bytes.ts';
import { publishPage } from '../../pages/publish-page.ts';
import { restoreRevision } from '../../pages/restore-revision.ts';
import { getRevision, listRevisions } from '../../pages/revisions.ts';
import { unpublishPage } from '../../pages/unpublish-page.ts';
import { discardDraftQuery, publishPageInput, revisionsQuery, saveDraftInput } from './contract/writing.ts';
import type { RevisionsJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { changeReportingHomePage } from './home-page.ts';
import { draftJson, revisionJson, wholeRevisionJson } from './page-json.ts';
import { changeResponse, IfMatchNeeded, onPage, requireIfMatch } from './page-request.ts';
import { emptyResponse, jsonResponse } from './responses.ts';
import { type AdminRoute, type NoInput, route, type SignedInRequest } from './route.ts';

/** How many revisions are listed at once. */
const PAGE_SIZE = 50;

type PageContentDependencies = Pick<RouteDependencies, 'db' | 'config'>;

/** Returns the routes for writing pages: drafts, publishing, revisions. */
export function pageContentRoutes(dependencies: PageContentDependencies): AdminRoute[] {
  const { db } = dependencies;
  return [
    route('PUT /admin/pages/:id/draft', {
      takes: 'page',
      mayRunInThread: true,
      countTexts: countPageBytes,
      needs: 'edit_pages',
      body: saveDraftInput,
      handle: (request) => onPage(db, request, () => putDraft(dependencies, request)),
    }),
    route('DELETE /admin/pages/:id/draft', {
      needs: 'edit_pages',
      query: discardDraftQuery,
      handle: (request) => onPage(db, request, () => discard(request)),
    }),
    route('POST /admin/pages/:id/publish', {
      takes: 'page',
      mayRunInThread: true,
      countTexts: countPageBytes,
      needs: 'edit_pages',
      body: publishPageInput,
      handle: (request) => onPage(db, request, () => publish(dependencies, request)),
    }),
    route('POST /admin/pages/:id/unpublish', {
      needs: 'edit_pages',
      handle: async (request) => {
        const { sessionOwner, actor, id } = request;
        const done = await changeReportingHomePage(request, (trx) =>
          unpublishPage(trx, sessionOwner.accountId, id, actor),
        );
        return changeResponse(db, request, id, done);
      },
    }),
    route('GET /admin/pages/:id/revisions', {
      needs: 'view_pages',
      query: revisionsQuery,
      handle: async ({ sessionOwner: { accountId }, id: pageId, query: { before } }) => {
        const input = { pageId, before, limit: PAGE_SIZE + 1 };
        const found = await snapshot(db, (trx) => listRevisions(trx, accountId, input));
        const { shown, hasMore } = partOf(found, PAGE_SIZE);
        return jsonResponse(200, { revisions: shown.map(revisionJson), hasMore } satisfies RevisionsJson);
      },
    }),
    route('GET /admin/revisions/:id', {
      mayRunInThread: true,
      countTexts: countRevisionBytes,
      needs: 'view_pages',
      handle: async ({ sessionOwner: { accountId }, id }) =>
        jsonResponse(200, wholeRevisionJson(await snapshot(db, (trx) => getRevision(trx, accountId, id)))),
    }),
    route('POST /admin/revisions/:id/restore', {
      mayRunInThread: true,
      countTexts: countRevisionBytes,
      needs: 'edit_pages',
      handle: (request) => onPage(db, request, () => restore(dependencies, request)),
    }),
  ];
}

/** Saves a draft. A draft is private: it is not in the audit log, and invalidates no cached list. */
async function putDraft(
  { config }: PageContentDependencies,
  { sessionOwner, id, body, change }: SignedInRequest<typeof saveDraftInput>,
) {
  const input = { ...body, id, userId: sessionOwner.userId, quota: config.pageQuota };
  return jsonResponse(200, draftJson(await change((trx) => saveDraft(trx, sessionOwner.accountId, input))));
}

async function discard({ sessionOwner, id, query, change }: SignedInRequest<NoInput, typeof discardDraftQuery>) {
  const input = { id, userId: sessionOwner.userId, draftAt: query.draftAt };
  await change((trx) => discardDraft(trx, sessionOwner.accountId, input));
  return emptyResponse();
}

async function publish({ db, config }: PageContentDependencies, request: SignedInRequest<typeof publishPageInput>) {
  const { sessionOwner, actor, id, body } = request;
  const basedOn = requireIfMatch(request);
  if (basedOn === undefined) throw new IfMatchNeeded();
  const input = { id, basedOn, fields: body.fields, draftAt: body.draftAt, quota: config.pageQuota };
  const done = await changeReportingHomePage(request, (trx) => publishPage(trx, sessionOwner.accountId, input, actor));
  return changeResponse(db, request, id, done);
}

async function restore({ db, config }: PageContentDependencies, request: SignedInRequest) {
  const { sessionOwner, actor, id, change } = request;
  const input = { id, basedOn: requireIfMatch(request), quota: config.pageQuota };
  const done = await change((trx) => restoreRevision(trx, sessionOwner.accountId, input, actor));
  return changeResponse(db, request, done.pageId, done);
}
