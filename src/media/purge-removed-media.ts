import type { Db } from '../db/database.ts';
import { keysOf, REMOVED_RETENTION_MS } from './media.ts';
import type { MediaStore } from './store.ts';

/** How many images one transaction deletes. */
const BATCH_SIZE = 100;

/**
 * Deletes images that can no longer be restored, with their files. If the process ends in between, files remain, and
 * `doctor` reports them. Returns how many images were deleted.
 */
export async function purgeRemovedMedia(db: Db, store: MediaStore, now = Date.now()): Promise<number> {
  for (let count = 0; ; ) {
    const part = await db.transaction().execute(async (trx) => {
      const old = await trx
        .selectFrom('media')
        .select(['id', 'account_id', 'folder', 'files'])
        .where('removed_at', '<=', now - REMOVED_RETENTION_MS)
        .orderBy('removed_at')
        .limit(BATCH_SIZE)
        .execute();
      const deleted: typeof old = [];
      for (const row of old) {
        const { numDeletedRows } = await trx
          .deleteFrom('media')
          .where('account_id', '=', row.account_id)
          .where('id', '=', row.id)
          // The image may have been uploaded again in the meantime.
          .where('removed_at', '<=', now - REMOVED_RETENTION_MS)
          .executeTakeFirstOrThrow();
        if (numDeletedRows > 0n) deleted.push(row);
      }
      return { found: old.length, deleted };
    });
    await store.remove(part.deleted.flatMap(keysOf));
    count += part.deleted.length;
    if (part.found < BATCH_SIZE) return count;
  }
}
