import { sql } from 'kysely';
import { shownName } from '../audit/shown-name.ts';
import type { Db } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { partOf } from '../db/part-of.ts';
import { type Media, mediaOf, REMOVED_RETENTION_MS, selectAllMedia } from './media.ts';

/** An image in the trash. */
export interface RemovedMedia extends Media {
  removedAt: number;
  /** The name of the user who removed the image; null if it was removed before this was recorded. */
  removedBy: string | null;
  /** The latest time at which the image is deleted for good. */
  expiresAt: number;
}

/** The image in the list after which the next page begins. */
export interface RemovedMediaCursor {
  removedAt: number;
  id: number;
}

/** Returns the account's images in the trash, the last removed first; only those after `after`, if given. */
export async function listRemovedMedia(
  db: Db,
  accountId: number,
  { after, limit }: { after: RemovedMediaCursor | undefined; limit: number },
): Promise<{ media: RemovedMedia[]; hasMore: boolean }> {
  const { removedAt, id } = after ?? { removedAt: Number.MAX_SAFE_INTEGER, id: 0 };
  const oldest = Date.now() - REMOVED_RETENTION_MS;
  const rows = await selectAllMedia(db)
    .leftJoin('users as removers', (join) =>
      join.onRef('removers.account_id', '=', 'media.account_id').onRef('removers.id', '=', 'media.removed_by'),
    )
    .select(shownName('removers').$castTo<string | null>().as('removedBy'))
    // The account is part of the range and of the order, as in `latestFirst`.
    .where(
      sql<boolean>`(media.account_id, media.removed_at) > (${accountId}, ${oldest})
        and (media.account_id, media.removed_at, media.id) < (${accountId}, ${removedAt}, ${id})`,
    )
    .where('media.removed_at', 'is not', null)
    .orderBy('media.account_id', 'desc')
    .orderBy('media.removed_at', 'desc')
    .orderBy('media.id', 'desc')
    .limit(limitInIndexOrder(limit + 1))
    .execute();
  const { shown, hasMore } = partOf(rows, limit);
  const media = shown.map((row) => ({
    ...mediaOf(row),
    removedAt: row.removed_at!,
    removedBy: row.removedBy,
    expiresAt: row.removed_at! + REMOVED_RETENTION_MS,
  }));
  return { media, hasMore };
}
