import type { Db } from '../../db/database.ts';
import { snapshot } from '../../db/snapshot.ts';
import { discardDraft, saveDraft } from '../../pages/drafts.ts';
import { publishPage } from '../../pages/publish-page.ts';
import { restoreRevision } from '../../pages/restore-revision.ts';
import { getRevision, listRevisions } from '../../pages/revisions.ts';
import type { RevisionsJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { changeReportingHomePage } from './home-page.ts';
import { draftJson, revisionJson, wholeRevisionJson } from './page-json.ts';
import { changeResponse, IfMatchNeeded, onPage, readNumber, readPageFields, requireIfMatch } from './page-request.ts';
import { emptyResponse, jsonResponse } from './responses.ts';
import type { AdminRoute, SignedInRequest } from './route.ts';

/** How many revisions are listed at once. */
const PAGE_SIZE = 50;

type PageContentDependencies = Pick<RouteDependencies, 'db' | 'config'>;

/** Writing pages: drafts, publishing, earlier states. */
export function pageContentRoutes(dependencies: PageContentDependencies): AdminRoute[] {
  const { db } = dependencies;
  const changing = (handle: (on: PageContentDependencies, request: SignedInRequest) => ReturnType<typeof publish>) => ({
    needs: 'edit_pages' as const,
    handle: (request: SignedInRequest) => onPage(db, request, () => handle(dependencies, request)),
  });
  const large = { takes: 'page', mayGoElsewhere: true } as const;
  return [
    { method: 'PUT', path: '/admin/pages/:id/draft', ...large, ...changing(keepDraft) },
    { method: 'DELETE', path: '/admin/pages/:id/draft', ...changing(discard) },
    { method: 'POST', path: '/admin/pages/:id/publish', ...large, ...changing(publish) },
    { method: 'GET', path: '/admin/pages/:id/revisions', needs: 'view_pages', handle: (request) => list(db, request) },
    { method: 'GET', path: '/admin/revisions/:id', needs: 'view_pages', handle: (request) => read(db, request) },
    { method: 'POST', path: '/admin/revisions/:id/restore', ...changing(restore) },
  ];
}

// Nobody else sees a draft: it is not in the audit log, and invalidates no cached list.
async function keepDraft({ config }: PageContentDependencies, request: SignedInRequest) {
  const { caller, id, change } = request;
  const sent = await request.fields();
  const fields = readPageFields(sent.object('fields'));
  const [basedOn, draftAt] = [sent.integer('basedOn'), sent.nullableInteger('draftAt')];
  const input = { id, userId: caller.userId, fields, basedOn, draftAt, quota: config.pageQuota };
  return jsonResponse(200, draftJson(await change((trx) => saveDraft(trx, caller.accountId, input))));
}

async function discard(_: PageContentDependencies, request: SignedInRequest) {
  const { caller, id, change } = request;
  const input = { id, userId: caller.userId, draftAt: readNumber(request, 'draftAt', 0) };
  await change((trx) => discardDraft(trx, caller.accountId, input));
  return emptyResponse();
}

async function publish({ db, config }: PageContentDependencies, request: SignedInRequest) {
  const { caller, actor, id } = request;
  const sent = await request.fields();
  const basedOn = requireIfMatch(request);
  if (basedOn === undefined) throw new IfMatchNeeded();
  const fields = sent.has('fields') ? readPageFields(sent.object('fields')) : undefined;
  const draftAt = sent.has('draftAt') ? sent.nullableInteger('draftAt') : null;
  const input = { id, basedOn, fields, draftAt, quota: config.pageQuota };
  const done = await changeReportingHomePage(request, (trx) => publishPage(trx, caller.accountId, input, actor));
  return changeResponse(db, request, id, done);
}

async function list(db: Db, request: SignedInRequest) {
  const { caller, id } = request;
  const input = { pageId: id, before: readNumber(request, 'before', 0) || undefined, limit: PAGE_SIZE + 1 };
  const revisions = await snapshot(db, (trx) => listRevisions(trx, caller.accountId, input));
  const told = revisions.slice(0, PAGE_SIZE).map(revisionJson);
  return jsonResponse(200, { revisions: told, hasMore: revisions.length > PAGE_SIZE } satisfies RevisionsJson);
}

async function read(db: Db, { caller, id }: SignedInRequest) {
  const revision = await snapshot(db, (trx) => getRevision(trx, caller.accountId, id));
  return jsonResponse(200, wholeRevisionJson(revision));
}

async function restore({ db, config }: PageContentDependencies, request: SignedInRequest) {
  const { caller, actor, id, change } = request;
  const input = { id, basedOn: requireIfMatch(request), quota: config.pageQuota };
  const done = await change((trx) => restoreRevision(trx, caller.accountId, input, actor));
  return changeResponse(db, request, done.pageId, done);
}
