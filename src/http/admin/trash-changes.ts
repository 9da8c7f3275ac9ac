import { checkBytes } from '../../db/long-changes.ts';
import { discardMedia } from '../../media/discard-media.ts';
import { removeMedia, restoreMedia } from '../../media/remove-media.ts';
import { deletePage } from '../../pages/delete-page.ts';
import { discardDeletedPage } from '../../pages/discard-deleted-pages.ts';
import { countTrashBytes } from '../../pages/page-bytes.ts';
import { purgeDeletedPages } from '../../pages/purge-deleted-pages.ts';
import { restoreFromTrash } from '../../pages/restore-from-trash.ts';
import type { ErrorLog } from '../error-log.ts';
import { changeEach } from './change-each.ts';
import { trashChangesInput } from './contract/trash.ts';
import type { TrashChangesJson, TrashResultJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { failureOf } from './failure.ts';
import { changeReportingHomePage } from './home-page.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, route, type SignedInRequest } from './route.ts';

/** The maximum number of changes in a request: the number of entries that the trash shows at first. */
const MAX_CHANGES = 50;

type ChangesRequest = SignedInRequest<typeof trashChangesInput>;

interface TrashDependencies extends Pick<RouteDependencies, 'db' | 'background'> {
  readonly log: ErrorLog;
}

/** Returns the routes that change several pages or images in the trash. */
export function trashChangesRoutes({ db, background, log }: TrashDependencies): AdminRoute[] {
  const purge = () => background.run('purging deleted pages', () => purgeDeletedPages(db));
  return [
    route('POST /admin/trash/pages/changes', {
      mayRunInThread: true,
      needs: 'administer_pages',
      body: trashChangesInput,
      handle: async (request) => {
        const response = await changeAll(request, log, (id) => changePage(request, id));
        if (request.body.kind === 'discard') purge();
        return response;
      },
    }),
    route('POST /admin/trash/images/changes', {
      needs: 'edit_pages',
      body: trashChangesInput,
      handle: (request) => changeAll(request, log, (id) => changeImage(request, id)),
    }),
  ];
}

async function changeAll({ ctx, body }: ChangesRequest, log: ErrorLog, make: (id: number) => Promise<TrashResultJson>) {
  const onFailure = (error: unknown) => void failureOf(error, log, ctx);
  const results = await changeEach(body.ids, { max: MAX_CHANGES, idOf: (id) => id, make, onFailure });
  return jsonResponse(200, { results } satisfies TrashChangesJson);
}

async function changePage(request: ChangesRequest, id: number): Promise<TrashResultJson> {
  const { sessionOwner, actor, body, change } = request;
  const { accountId } = sessionOwner;
  if (body.kind === 'delete') {
    const { deleted: count } = await change((trx) => deletePage(trx, accountId, id, actor));
    return { id, count };
  }
  if (body.kind === 'discard') {
    const count = await change((trx) => discardDeletedPage(trx, accountId, id, actor));
    return { id, count };
  }
  const restored = await changeReportingHomePage(request, async (trx) => {
    await checkBytes(trx, () => countTrashBytes(trx, accountId, { id }));
    return restoreFromTrash(trx, accountId, id, actor);
  });
  return { id, count: restored.pages, ...restored };
}

async function changeImage(
  { sessionOwner, actor, body, change }: ChangesRequest,
  id: number,
): Promise<TrashResultJson> {
  await change(async (trx) => {
    if (body.kind === 'restore') await restoreMedia(trx, sessionOwner.accountId, id, actor);
    else if (body.kind === 'discard') await discardMedia(trx, sessionOwner.accountId, id, actor);
    else await removeMedia(trx, sessionOwner.accountId, id, actor);
  });
  return { id, count: 1 };
}
