import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { DELETE_BATCH_SIZE, deleteInBatches } from '../db/delete-in-batches.ts';
import { inBatches } from '../db/in-batches.ts';
import { inJsonList } from '../db/json-list.ts';
import { MAX_DELETED_BYTES } from '../db/keys-to-delete.ts';
import { clearKnownChanges } from '../tenancy/clear-known-changes.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { bytesIn, deleteFewTexts, deleteTexts } from './page-bytes.ts';
import { parentKey } from './positions.ts';
import { UNDO_RETENTION_MS } from './undos.ts';

/** How many changes are read at once. */
const BATCH_SIZE = 100;

/**
 * Deletes changes that can no longer be undone, and with them the deleted pages and everything that belongs to these, in parts.
 * The row of a change is deleted last, so that a run after a crash finds the rest. Returns the number of deleted changes.
 */
export async function purgeDeletedPages(db: Db, now = Date.now()): Promise<number> {
  for (let count = 0; ; ) {
    const old = await db
      .selectFrom('undos')
      .select(['id', 'account_id', 'kind', 'payload', 'version'])
      .where('created_at', '<=', now - UNDO_RETENTION_MS)
      .orderBy('created_at')
      .limit(BATCH_SIZE)
      .execute();
    for (const { id, account_id: accountId, kind, payload, version } of old) {
      if (kind !== 'delete') continue;
      const { pageId }: { pageId: number } = JSON.parse(payload);
      // Clients must read the whole list from now on: otherwise, they could be told of only a part of the deleted pages.
      if (await isRemoved(db, accountId, { undo: id, pageId })) {
        await db.transaction().execute((trx) => clearKnownChanges(trx, accountId, version));
      }
      await purgePagesBelow(db, accountId, { undo: id, pageId });
      // The page may have been restored meanwhile.
      if (!(await isRemoved(db, accountId, { undo: id, pageId }))) continue;
      await purgeBelongings(db, accountId, [pageId]);
      await db.transaction().execute((trx) => purgeTopPage(trx, accountId, { undo: id, pageId }));
    }
    count += await db.transaction().execute(async (trx) => {
      let forgotten = 0n;
      for (const { id, account_id: accountId } of old) {
        const { numDeletedRows } = await trx
          .deleteFrom('undos')
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        forgotten += numDeletedRows;
      }
      return Number(forgotten);
    });
    if (old.length < BATCH_SIZE) return count;
  }
}

interface Deletion {
  undo: number;
  pageId: number;
}

async function isRemoved(db: Db, accountId: number, { undo, pageId }: Deletion): Promise<boolean> {
  const page = db.selectFrom('removed_pages').select('id').where('account_id', '=', accountId).where('id', '=', pageId);
  return (await page.where('undo_id', '=', undo).executeTakeFirst()) !== undefined;
}

/**
 * Deletes the topmost page of the deletion. Corrects the positions of siblings that were deleted earlier, as if the page had
 * been deleted before them: when they are restored, the page is no longer there to be counted. Of very many siblings, only
 * those deleted last are corrected, and none with long texts, which SQLite would rewrite.
 *
 * Example: of the siblings A, B and C, C was deleted at position 3, then A. When A is purged, C gets position 2, after B.
 */
async function purgeTopPage(trx: Trx, accountId: number, { undo, pageId }: Deletion): Promise<void> {
  await lockAccount(trx, accountId);
  const removed = trx.selectFrom('removed_pages').where('account_id', '=', accountId);
  const page = await removed
    .select([parentKey.as('parent'), 'position'])
    .where('id', '=', pageId)
    .where('undo_id', '=', undo)
    .executeTakeFirst();
  if (!page) return;
  const { parent } = page;
  const earlier = await removed
    .select(['id', 'position', bytesIn.removed_pages.as('bytes')])
    .where(parentKey, '=', parent)
    .where('undo_id', '<', undo)
    // Siblings that were deleted with their parent are not counted: they are restored together.
    .where('undo_id', 'not in', (e) =>
      e.selectFrom('removed_pages').select('undo_id').where('account_id', '=', accountId).where('id', '=', parent),
    )
    .orderBy('undo_id', 'desc')
    .limit(DELETE_BATCH_SIZE)
    .execute();
  let { position } = page;
  const behind: number[] = [];
  let bytes = 0;
  for (const other of earlier) {
    if (position >= other.position) position += 1;
    else if (bytes + other.bytes <= MAX_DELETED_BYTES) {
      bytes += other.bytes;
      behind.push(other.id);
    }
  }
  await trx
    .updateTable('removed_pages')
    .set({ position: sql<number>`position - 1` })
    .where('account_id', '=', accountId)
    .where(inJsonList(trx, 'id', sql.val(JSON.stringify(behind)), 'bigint'))
    .execute();
  await deleteTexts(trx, accountId, { table: 'removed_pages', where: sql`id = ${pageId}` });
}

/**
 * Purges the pages in batches, since each statement looks for the rows of all pages that it is given. In each batch, the pages
 * themselves are deleted last, because everything that belongs to them is found by their ids.
 */
async function purgePagesBelow(db: Db, accountId: number, { undo, pageId }: Deletion): Promise<void> {
  for (;;) {
    const pages = await db
      .selectFrom('removed_pages')
      .select('id')
      .where('account_id', '=', accountId)
      .where('undo_id', '=', undo)
      .where('id', '<>', pageId)
      .limit(DELETE_BATCH_SIZE)
      .execute();
    if (pages.length === 0) return;
    const ids = pages.map(({ id }) => id);
    await purgeBelongings(db, accountId, ids);
    await purgeTexts(
      db,
      accountId,
      'removed_pages',
      ['id'],
      sql`account_id = ${accountId} and id in (${sql.join(ids)})`,
    );
  }
}

async function purgeBelongings(db: Db, accountId: number, ids: readonly number[]): Promise<void> {
  const where = sql`account_id = ${accountId} and page_id in (${sql.join(ids)})`;
  await purgeTexts(db, accountId, 'revisions', ['id'], where);
  await purgeTexts(db, accountId, 'drafts', ['page_id', 'user_id'], where);
  const imageKey = ['account_id', 'page_id', 'draft_by', 'hash'];
  await deleteInBatches(db, { table: 'page_images', key: imageKey, where });
  await deleteInBatches(db, { table: 'redirects', key: ['id'], where });
}

async function purgeTexts(
  db: Db,
  accountId: number,
  table: 'revisions' | 'drafts' | 'removed_pages',
  key: readonly string[],
  where: RawBuilder<unknown>,
): Promise<void> {
  await inBatches(db, 1, async (trx) => {
    await lockAccount(trx, accountId);
    return deleteFewTexts(trx, accountId, { table, key, where, most: DELETE_BATCH_SIZE });
  });
}
