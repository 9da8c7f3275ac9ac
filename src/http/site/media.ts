import type { Db } from '../../db/database.ts';
import { findMediaFile } from '../../media/find-media-file.ts';
import { MEDIA_PATH } from '../../media/media-name.ts';
import type { MediaStore } from '../../media/store.ts';
import { fileResponse } from '../media-file.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { commonHeaders } from './headers.ts';

/** The URL has a hash of the content, so clients may cache it forever. Feed readers show images on their own pages. */
const HEADERS = [
  ...['Cache-Control', 'public, max-age=31536000, immutable'],
  ...['Cross-Origin-Resource-Policy', 'cross-origin'],
  ...commonHeaders,
];

/** Returns whether the path is that of an image. URLs of pages have no dots. */
export function isMediaPath(path: string): boolean {
  return path.startsWith(MEDIA_PATH);
}

/** Returns the response with an image of the account, or undefined if it has none of this name. */
export async function mediaResponse(
  { db, store }: { db: Db; store: MediaStore },
  ctx: RequestContext,
  accountId: number,
  path: string,
): Promise<HttpResponse | undefined> {
  const name = path.slice(MEDIA_PATH.length);
  const file = await findMediaFile(db, accountId, name);
  return file && fileResponse(ctx, { ...file, name, open: () => store.open(file.key) }, HEADERS);
}
