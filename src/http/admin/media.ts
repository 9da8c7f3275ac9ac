import { changeMedia } from '../../media/change-media.ts';
import { fileName } from '../../media/file-name.ts';
import { findMediaFile } from '../../media/find-media-file.ts';
import { findUses } from '../../media/find-uses.ts';
import { listMedia } from '../../media/list-media.ts';
import { getMedia } from '../../media/media.ts';
import { removeMedia, restoreMedia } from '../../media/remove-media.ts';
import { uploadImage } from '../../media/upload-image.ts';
import { findPlanLimit } from '../../tenancy/plan-limits.ts';
import { fileResponse } from '../media-file.ts';
import { changeMediaInput, mediaFileQuery, mediaListQuery, mediaNameQuery } from './contract/media.ts';
import type { MediaListJson, MediaUsesJson, RemovedMediaJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { failure } from './failure.ts';
import { withImageBody } from './image-body.ts';
import { mediaJson } from './media-json.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, type NoInput, route, type SignedInRequest } from './route.ts';

const PAGE_SIZE = 50;

/** Returns the routes for the account's images: uploading, listing, describing and deleting them, and their files for the app. */
export function mediaRoutes(dependencies: RouteDependencies): AdminRoute[] {
  const { db, config } = dependencies;
  return [
    route('GET /admin/media', {
      needs: 'view_pages',
      query: mediaListQuery,
      handle: async ({ sessionOwner: { accountId }, query: { before } }) => {
        const { media, hasMore, used } = await listMedia(db, accountId, { before, limit: PAGE_SIZE });
        const ofPlan = (await findPlanLimit(db, accountId, 'storage')) ?? Number.POSITIVE_INFINITY;
        const quota = Math.min(config.mediaQuota, ofPlan);
        return jsonResponse(200, { media: media.map(mediaJson), hasMore, used, quota } satisfies MediaListJson);
      },
    }),
    route('POST /admin/media', {
      takes: 'image',
      needs: 'edit_pages',
      query: mediaNameQuery,
      handle: uploader(dependencies),
    }),
    route('GET /admin/media/file', {
      needs: 'view_pages',
      query: mediaFileQuery,
      handle: (request) => file(dependencies, request),
    }),
    route('PATCH /admin/media/:id', {
      needs: 'edit_pages',
      body: changeMediaInput,
      handle: async ({ sessionOwner: { accountId }, actor, id, body: { alt }, change }) => {
        const media = await change((trx) => changeMedia(trx, accountId, { id, alt }, actor));
        return jsonResponse(200, mediaJson(media));
      },
    }),
    route('GET /admin/media/:id/uses', {
      needs: 'view_pages',
      handle: async ({ sessionOwner: { accountId }, id }) => {
        const { hash } = await getMedia(db, accountId, id);
        return jsonResponse(200, (await findUses(db, accountId, hash)) satisfies MediaUsesJson);
      },
    }),
    route('DELETE /admin/media/:id', {
      needs: 'edit_pages',
      handle: async ({ sessionOwner: { accountId }, actor, id, change }) => {
        const media = await change((trx) => removeMedia(trx, accountId, id, actor));
        const shownOn = await findUses(db, accountId, media.hash);
        return jsonResponse(200, { shownOn } satisfies RemovedMediaJson);
      },
    }),
    route('POST /admin/media/:id/restore', {
      needs: 'edit_pages',
      handle: async ({ sessionOwner: { accountId }, actor, id, change }) =>
        jsonResponse(200, mediaJson(await change((trx) => restoreMedia(trx, accountId, id, actor)))),
    }),
  ];
}

type NamedRequest = SignedInRequest<NoInput, typeof mediaNameQuery>;

function uploader({ db, config, store, imageMaker }: RouteDependencies) {
  const settings = { db, store, quota: config.mediaQuota, limit: config.maxBodyBytes };
  return ({ sessionOwner: { accountId }, actor, ctx, query, change }: NamedRequest) =>
    withImageBody(accountId, ctx, async () => {
      const input = { source: ctx.request, name: fileName(query.name), commit: change };
      const { media, isNew } = await uploadImage({ ...settings, maker: await imageMaker() }, accountId, input, actor);
      return jsonResponse(isNew ? 201 : 200, mediaJson(media));
    });
}

/** Returns an image file for the editors, which load images from the app's origin. Visitors load them from the site. */
async function file(
  { db, store }: RouteDependencies,
  { sessionOwner, ctx, query: { name, trash } }: SignedInRequest<NoInput, typeof mediaFileQuery>,
) {
  const found = await findMediaFile(db, sessionOwner.accountId, name, { isInTrash: trash !== undefined });
  const headers = [
    'Cache-Control',
    'private, max-age=31536000, immutable',
    'Cross-Origin-Resource-Policy',
    'same-origin',
  ];
  const answer = found && (await fileResponse(ctx, { ...found, name, open: () => store.open(found.key) }, headers));
  return answer ?? failure(404, 'not_found', 'The image does not exist.');
}
