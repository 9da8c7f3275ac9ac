import type { Db, Trx } from '../../db/database.ts';
import { snapshot } from '../../db/snapshot.ts';
import { discardMedia, emptyMediaTrash } from '../../media/discard-media.ts';
import { listRemovedMedia, type RemovedMedia } from '../../media/list-removed-media.ts';
import { searchRemovedMedia } from '../../media/search-removed-media.ts';
import { discardDeletedPage, emptyPageTrash } from '../../pages/discard-deleted-pages.ts';
import { listDeletedChildren } from '../../pages/list-deleted-children.ts';
import { countDeletions, type ListedDeletion, listDeletions, listPageDeletion } from '../../pages/list-deletions.ts';
import { countTrashBytes } from '../../pages/page-bytes.ts';
import { purgeDeletedPages } from '../../pages/purge-deleted-pages.ts';
import { restoreFromTrash } from '../../pages/restore-from-trash.ts';
import { countTrashSearchBytes, searchTrash } from '../../pages/search-trash.ts';
import { changeById } from './change-by-id.ts';
import {
  deletedChildrenQuery,
  deletionsQuery,
  emptyTrashQuery,
  removedMediaQuery,
  trashSearchQuery,
} from './contract/trash.ts';
import type {
  DeletedChildrenJson,
  DeletionSearchJson,
  DeletionsJson,
  DiscardedJson,
  RemovedMediaListJson,
  RestoredPageJson,
  TrashedMediaJson,
} from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { changeReportingHomePage } from './home-page.ts';
import { mediaJson } from './media-json.ts';
import { pageTag, readPageJson } from './page-json.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, type NoInput, route, type SignedInRequest } from './route.ts';

const PAGE_SIZE = 50;
const CHILDREN_PAGE_SIZE = 100;

type TrashDependencies = Pick<RouteDependencies, 'db' | 'background'>;

/** Returns the routes for the trash: listing, restoring, deleting for good. `POST /admin/media/:id/restore` restores an image. */
export function trashRoutes({ db, background }: TrashDependencies): AdminRoute[] {
  // Purges at once, to free the storage soon. If the process stops before, the pages are purged within the hour.
  const purge = () => background.run('purging deleted pages', () => purgeDeletedPages(db));
  return [
    route('GET /admin/trash/pages', {
      needs: 'view_pages',
      query: deletionsQuery,
      handle: (request) => list(db, request),
    }),
    route('GET /admin/trash/pages/search', {
      mayRunInThread: true,
      countTexts: countTrashSearchBytes,
      needs: 'view_pages',
      query: trashSearchQuery,
      handle: async ({ sessionOwner, query }) => {
        const found = await snapshot(db, (trx) => searchTrash(trx, sessionOwner.accountId, query.q));
        const deletions = found.deletions.map(deletionJson);
        return jsonResponse(200, { ...found, deletions } satisfies DeletionSearchJson);
      },
    }),
    route('GET /admin/trash/pages/:id/children', {
      needs: 'view_pages',
      query: deletedChildrenQuery,
      handle: async ({ sessionOwner: { accountId }, id, query: { after } }) => {
        const input = { id, after, limit: CHILDREN_PAGE_SIZE };
        const children = await snapshot(db, (trx) => listDeletedChildren(trx, accountId, input));
        return jsonResponse(200, children satisfies DeletedChildrenJson);
      },
    }),
    route('POST /admin/trash/pages/:id/restore', {
      mayRunInThread: true,
      changesManyPages: true,
      countTexts: countTrashBytes,
      needs: 'administer_pages',
      handle: async (request) => {
        const { sessionOwner, actor, id } = request;
        const work = (trx: Trx) => restoreFromTrash(trx, sessionOwner.accountId, id, actor);
        const restored = await changeReportingHomePage(request, work);
        const page = await snapshot(db, (trx) => readPageJson(trx, sessionOwner, id));
        return jsonResponse(200, { ...restored, page } satisfies RestoredPageJson, pageTag(page.version));
      },
    }),
    route('DELETE /admin/trash/pages/:id', {
      mayRunInThread: true,
      changesManyPages: true,
      countTexts: countTrashBytes,
      needs: 'administer_pages',
      handle: async ({ sessionOwner, actor, id, change }) => {
        const discarded = await change((trx) => discardDeletedPage(trx, sessionOwner.accountId, id, actor));
        purge();
        return jsonResponse(200, { discarded } satisfies DiscardedJson);
      },
    }),
    route('DELETE /admin/trash/pages', {
      mayRunInThread: true,
      needs: 'administer_pages',
      query: emptyTrashQuery,
      handle: async ({ sessionOwner, actor, query, change }) => {
        const discarded = await change((trx) => emptyPageTrash(trx, sessionOwner.accountId, query.upTo, actor));
        if (discarded > 0) purge();
        return jsonResponse(200, { discarded } satisfies DiscardedJson);
      },
    }),
    route('GET /admin/trash/images', {
      needs: 'view_pages',
      query: removedMediaQuery,
      handle: async ({ sessionOwner: { accountId }, query: { removedAt, id = 0 } }) => {
        const after = removedAt === undefined ? undefined : { removedAt, id };
        const { media, hasMore } = await listRemovedMedia(db, accountId, { after, limit: PAGE_SIZE });
        return jsonResponse(200, { images: media.map(trashedMediaJson), hasMore } satisfies RemovedMediaListJson);
      },
    }),
    route('GET /admin/trash/images/search', {
      needs: 'view_pages',
      query: trashSearchQuery,
      handle: async ({ sessionOwner, query }) => {
        const { media, hasMore } = await searchRemovedMedia(db, sessionOwner.accountId, query.q);
        return jsonResponse(200, { images: media.map(trashedMediaJson), hasMore } satisfies RemovedMediaListJson);
      },
    }),
    route('DELETE /admin/trash/images/:id', {
      needs: 'edit_pages',
      handle: changeById(discardMedia),
    }),
    route('DELETE /admin/trash/images', {
      mayRunInThread: true,
      needs: 'edit_pages',
      query: emptyTrashQuery,
      handle: async ({ sessionOwner, actor, query, change }) => {
        const discarded = await change((trx) => emptyMediaTrash(trx, sessionOwner.accountId, query.upTo, actor));
        return jsonResponse(200, { discarded } satisfies DiscardedJson);
      },
    }),
  ];
}

async function list(db: Db, { sessionOwner: { accountId }, query }: SignedInRequest<NoInput, typeof deletionsQuery>) {
  const body: DeletionsJson = await snapshot(db, async (trx) => {
    const { deletions, hasMore } =
      query.page === undefined
        ? await listDeletions(trx, accountId, { before: query.before, limit: PAGE_SIZE })
        : await listPageDeletion(trx, accountId, query.page);
    const { count: total, isExact: isTotalExact } = await countDeletions(trx, accountId);
    return { deletions: deletions.map(deletionJson), hasMore, total, isTotalExact };
  });
  return jsonResponse(200, body);
}

function deletionJson<T extends ListedDeletion>({ pageId: id, ...rest }: T) {
  return { id, ...rest };
}

function trashedMediaJson(media: RemovedMedia): TrashedMediaJson {
  const { removedAt: deletedAt, removedBy: deletedBy, expiresAt } = media;
  return { ...mediaJson(media), deletedAt, deletedBy, expiresAt };
}
