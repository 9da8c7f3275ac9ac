import { findUses } from '../../media/find-uses.ts';
import { getMedia } from '../../media/media.ts';
import { removeMedia } from '../../media/remove-media.ts';
import { countAccountBytes } from '../../pages/page-bytes.ts';
import type { MediaUsesJson, RemovedMediaJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { jsonResponse } from './responses.ts';
import type { AdminRoute } from './route.ts';

/** Routes that search the account's pages for an image: its uses, and its deletion, which lists them. */
export function mediaUsesRoutes({ db }: Pick<RouteDependencies, 'db'>): AdminRoute[] {
  return [
    {
      method: 'GET',
      path: '/admin/media/:id/uses',
      mayRunInThread: true,
      countTexts: countAccountBytes,
      needs: 'view_pages',
      handle: async ({ caller: { accountId }, id }) => {
        const { hash } = await getMedia(db, accountId, id);
        return jsonResponse(200, (await findUses(db, accountId, hash)) satisfies MediaUsesJson);
      },
    },
    {
      method: 'DELETE',
      path: '/admin/media/:id',
      mayRunInThread: true,
      countTexts: countAccountBytes,
      needs: 'edit_pages',
      handle: async ({ caller: { accountId }, actor, id, change }) => {
        const media = await change((trx) => removeMedia(trx, accountId, id, actor));
        // After the removal: searching all pages takes a while, and holds no lock here.
        const shownOn = await findUses(db, accountId, media.hash);
        return jsonResponse(200, { shownOn } satisfies RemovedMediaJson);
      },
    },
  ];
}
