import type { Db } from '../../db/database.ts';
import { snapshot } from '../../db/snapshot.ts';
import { AppError, notFound } from '../../errors.ts';
import { deletePage } from '../../pages/delete-page.ts';
import { duplicatePage } from '../../pages/duplicate-page.ts';
import { movePage, planMove } from '../../pages/move-page.ts';
import { countPageBytes, countUndoBytes } from '../../pages/page-bytes.ts';
import { countSubtreeBytes, measureSubtree } from '../../pages/subtree.ts';
import { undoChange } from '../../pages/undo-change.ts';
import { permissionsOf } from '../../users/roles.ts';
import { movePageInput } from './contract/pages.ts';
import type { DeletedPageJson, DuplicatedPageJson, SubtreeJson, UndoneJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { changeReportingHomePage } from './home-page.ts';
import { pageTag, readPageJson } from './page-json.ts';
import { changeResponse, onPage } from './page-request.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, route, type SignedInRequest } from './route.ts';

type TreeDependencies = Pick<RouteDependencies, 'db' | 'config'>;

/** Returns the routes that change the page tree and undo changes. */
export function pageTreeRoutes(dependencies: TreeDependencies): AdminRoute[] {
  const { db, config } = dependencies;
  return [
    route('POST /admin/pages/:id/move', {
      mayRunInThread: true,
      countTexts: countPageBytes,
      needs: 'administer_pages',
      body: movePageInput,
      handle: (request) => onPage(db, request, () => move(db, request)),
    }),
    route('POST /admin/pages/:id/duplicate', {
      mayRunInThread: true,
      countTexts: countPageBytes,
      needs: 'administer_pages',
      handle: async ({ sessionOwner, actor, id, change }) => {
        const input = { id, quota: config.pageQuota };
        const copy = await change((trx) => duplicatePage(trx, sessionOwner.accountId, input, actor));
        const page = await snapshot(db, (trx) => readPageJson(trx, sessionOwner, copy));
        return jsonResponse(201, { page } satisfies DuplicatedPageJson, pageTag(page.version));
      },
    }),
    route('GET /admin/pages/:id/subtree', {
      mayRunInThread: true,
      needs: 'view_pages',
      handle: async ({ sessionOwner: { accountId }, id }) => {
        const { size: pages } = await snapshot(db, (trx) => measureSubtree(trx, accountId, id));
        if (pages === 0) throw notFound('The page');
        return jsonResponse(200, { pages } satisfies SubtreeJson);
      },
    }),
    route('DELETE /admin/pages/:id', {
      mayRunInThread: true,
      changesManyPages: true,
      countTexts: countSubtreeBytes,
      needs: 'administer_pages',
      handle: async (request) => {
        const { sessionOwner, actor, id } = request;
        const done = await changeReportingHomePage(request, (trx) =>
          deletePage(trx, sessionOwner.accountId, id, actor),
        );
        return jsonResponse(200, done satisfies DeletedPageJson);
      },
    }),
    route('POST /admin/undo/:id', {
      mayRunInThread: true,
      changesManyPages: true,
      countTexts: countUndoBytes,
      needs: 'edit_pages',
      handle: (request) => undo(dependencies, request),
    }),
  ];
}

async function move(db: Db, request: SignedInRequest<typeof movePageInput>) {
  const { sessionOwner, actor, id, body } = request;
  const input = { id, parentId: body.parentId || null, position: body.position };
  if (body.preview) {
    const { changedUrlCount } = await snapshot(db, (trx) => planMove(trx, sessionOwner.accountId, input));
    return jsonResponse(200, { changedAddresses: changedUrlCount });
  }
  const done = await changeReportingHomePage(request, (trx) => movePage(trx, sessionOwner.accountId, input, actor));
  return changeResponse(db, request, id, done);
}

async function undo({ db, config }: TreeDependencies, { sessionOwner, actor, id, change }: SignedInRequest) {
  const input = { id, quota: config.pageQuota };
  const done = await change(async (trx) => {
    const done = await undoChange(trx, sessionOwner.accountId, input, actor);
    if (done.kind !== 'update' && !permissionsOf(sessionOwner.role).includes('administer_pages')) {
      throw new AppError('forbidden', 'Your role does not allow this.');
    }
    return done;
  });
  const page = await snapshot(db, (trx) => readPageJson(trx, sessionOwner, done.pageId));
  return jsonResponse(200, { page, undo: done.undo ?? null } satisfies UndoneJson, pageTag(page.version));
}
