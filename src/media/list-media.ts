import type { Db } from '../db/database.ts';
import { latestFirst, limitInIndexOrder } from '../db/index-order.ts';
import { partOf } from '../db/part-of.ts';
import { countBytes, type Media, mediaOf, selectMedia } from './media.ts';

interface MediaList {
  media: Media[];
  hasMore: boolean;
  /** The bytes that the images take up. Removed images do not count: they are deleted when room is needed. */
  used: number;
}

/** Returns the account's images, the latest first; only those after the image `before` in this order, if given. */
export async function listMedia(
  db: Db,
  accountId: number,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<MediaList> {
  const latest = latestFirst(db, 'media', accountId, before);
  const rows = await selectMedia(db)
    .where(latest.where)
    .orderBy(latest.account, 'desc')
    .orderBy(latest.id, 'desc')
    .limit(limitInIndexOrder(limit + 1))
    .execute();
  const { shown, hasMore } = partOf(rows, limit);
  const { shown: used } = await countBytes(db, accountId);
  return { media: shown.map(mediaOf), hasMore, used };
}
