import { AppError } from '../../errors.ts';
import { changeMedia } from '../../media/change-media.ts';
import { fileName } from '../../media/file-name.ts';
import { findMediaFile } from '../../media/find-media-file.ts';
import { findUses } from '../../media/find-uses.ts';
import { MAX_IMAGE_MS } from '../../media/image-maker.ts';
import { listMedia } from '../../media/list-media.ts';
import { getMedia } from '../../media/media.ts';
import { removeMedia, restoreMedia } from '../../media/remove-media.ts';
import { uploadImage } from '../../media/upload-image.ts';
import { sendContinue } from '../continue.ts';
import { fileResponse } from '../media-file.ts';
import { changeMediaInput, mediaFileQuery, mediaListQuery, mediaNameQuery } from './contract/media.ts';
import type { MediaListJson, MediaUsesJson, RemovedMediaJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { failure } from './failure.ts';
import { mediaJson } from './media-json.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, type NoInput, route, type SignedInRequest } from './route.ts';

const PAGE_SIZE = 50;

/** The limit for one account. Further uploads have to be sent again. */
const MAX_CONCURRENT_UPLOADS = 6;

/** The account's images: uploading, listing, describing, deleting, and their files for the app itself. */
export function mediaRoutes(dependencies: RouteDependencies): AdminRoute[] {
  const { db } = dependencies;
  return [
    route({
      method: 'GET',
      path: '/admin/media',
      needs: 'view_pages',
      query: mediaListQuery,
      handle: (request) => list(dependencies, request),
    }),
    route({
      method: 'POST',
      path: '/admin/media',
      takes: 'image',
      needs: 'edit_pages',
      query: mediaNameQuery,
      handle: uploader(dependencies),
    }),
    route({
      method: 'GET',
      path: '/admin/media/file',
      needs: 'view_pages',
      query: mediaFileQuery,
      handle: (request) => file(dependencies, request),
    }),
    route({
      method: 'PATCH',
      path: '/admin/media/:id',
      needs: 'edit_pages',
      body: changeMediaInput,
      handle: async ({ caller: { accountId }, actor, id, body: { alt }, change }) => {
        const media = await change((trx) => changeMedia(trx, accountId, { id, alt }, actor));
        return jsonResponse(200, mediaJson(media));
      },
    }),
    {
      method: 'GET',
      path: '/admin/media/:id/uses',
      needs: 'view_pages',
      handle: async ({ caller: { accountId }, id }) => {
        const { hash } = await getMedia(db, accountId, id);
        return jsonResponse(200, (await findUses(db, accountId, hash)) satisfies MediaUsesJson);
      },
    },
    {
      method: 'DELETE',
      path: '/admin/media/:id',
      needs: 'edit_pages',
      handle: async ({ caller: { accountId }, actor, id, change }) => {
        const media = await change((trx) => removeMedia(trx, accountId, id, actor));
        const shownOn = await findUses(db, accountId, media.hash);
        return jsonResponse(200, { shownOn } satisfies RemovedMediaJson);
      },
    },
    { method: 'POST', path: '/admin/media/:id/restore', needs: 'edit_pages', handle: restore },
  ];
}

type ListRequest = SignedInRequest<NoInput, typeof mediaListQuery>;
type NamedRequest = SignedInRequest<NoInput, typeof mediaNameQuery>;

async function list({ db, config }: RouteDependencies, { caller, query: { before } }: ListRequest) {
  const page = { before, limit: PAGE_SIZE };
  const { media, hasMore, used } = await listMedia(db, caller.accountId, page);
  const answer: MediaListJson = { media: media.map(mediaJson), hasMore, used, quota: config.mediaQuota };
  return jsonResponse(200, answer);
}

/** How long a client waits after its image is made: until it is in the store, and in the database. */
const COMMIT_TIMEOUT_MS = 60_000;

function uploader({ db, config, store, maker }: RouteDependencies) {
  const settings = { db, store, maker, quota: config.mediaQuota, limit: config.maxBodyBytes };
  const underWay = new Map<number, number>();

  return async ({ caller: { accountId }, actor, ctx: { request }, query, change }: NamedRequest) => {
    // Forms cannot send this type, and what type it really is shows its content.
    if (request.headers['content-type'] !== 'application/octet-stream') {
      throw new AppError('malformed', 'The body must be application/octet-stream.');
    }
    const count = underWay.get(accountId) ?? 0;
    if (count >= MAX_CONCURRENT_UPLOADS)
      throw new AppError('rate_limited', 'Too many images are being uploaded at once.');
    underWay.set(accountId, count + 1);
    sendContinue(request);
    const { socket } = request;
    const { timeout } = socket;
    // Otherwise the server hangs up on a client that has sent everything and waits.
    request.once('end', () => socket.setTimeout(MAX_IMAGE_MS + COMMIT_TIMEOUT_MS));
    try {
      const input = { source: request, name: fileName(query.name), commit: change };
      const { media, isNew } = await uploadImage(settings, accountId, input, actor);
      return jsonResponse(isNew ? 201 : 200, mediaJson(media));
    } finally {
      socket.setTimeout(timeout ?? 0);
      const left = underWay.get(accountId)! - 1;
      if (left > 0) underWay.set(accountId, left);
      else underWay.delete(accountId);
    }
  };
}

/** For editors, which have it in a page of our own; elsewhere it is at the site's address. */
async function file(
  { db, store }: RouteDependencies,
  { caller, ctx, query: { name, trash } }: SignedInRequest<NoInput, typeof mediaFileQuery>,
) {
  const found = await findMediaFile(db, caller.accountId, name, { isInTrash: trash !== undefined });
  const headers = [
    'Cache-Control',
    'private, max-age=31536000, immutable',
    'Cross-Origin-Resource-Policy',
    'same-origin',
  ];
  const answer = found && (await fileResponse(ctx, { ...found, name, open: () => store.open(found.key) }, headers));
  return answer ?? failure(404, 'not_found', 'The image does not exist.');
}

async function restore({ caller, actor, id, change }: SignedInRequest) {
  const media = await change((trx) => restoreMedia(trx, caller.accountId, id, actor));
  return jsonResponse(200, mediaJson(media));
}
