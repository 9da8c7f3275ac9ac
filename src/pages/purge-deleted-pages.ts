import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { DELETE_BATCH_SIZE, deleteInBatches } from '../db/delete-in-batches.ts';
import { inBatches } from '../db/in-batches.ts';
import { inJsonList } from '../db/json-list.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { deleteFewTexts } from './page-bytes.ts';
import { parentKey } from './positions.ts';
import { UNDO_RETENTION_MS } from './undos.ts';

/** How many changes are read at once. */
const BATCH_SIZE = 100;

/**
 * Deletes changes that can no longer be undone, and with them deleted pages and all that belonged to these, in parts. The row
 * of a change goes last, so that a run after a crash finds the rest. Returns how many changes it deleted.
 */
export async function purgeDeletedPages(db: Db, now = Date.now()): Promise<number> {
  for (let count = 0; ; ) {
    const old = await db
      .selectFrom('undos')
      .select(['id', 'account_id', 'kind', 'payload'])
      .where('created_at', '<=', now - UNDO_RETENTION_MS)
      .orderBy('created_at')
      .limit(BATCH_SIZE)
      .execute();
    for (const { id, account_id: accountId, kind, payload } of old) {
      if (kind !== 'delete') continue;
      await db.transaction().execute((trx) => leaveSiblings(trx, accountId, { undo: id, ...JSON.parse(payload) }));
      await purgePages(db, accountId, id);
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

/** The position of a page that its siblings no longer count. */
const NO_POSITION = 1_000_000_000;

/**
 * Corrects the positions of siblings that were deleted earlier, as if the page had been deleted before them: when they are
 * restored, the page is no longer there to be counted. Of very many, only the last are corrected.
 */
async function leaveSiblings(
  trx: Trx,
  accountId: number,
  { undo, pageId }: { undo: number; pageId: number },
): Promise<void> {
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
    .select(['id', 'position'])
    .where(parentKey, '=', parent)
    .where('undo_id', '<', undo)
    // Siblings that were deleted with their parent are not counted: they come back together.
    .where('undo_id', 'not in', (e) =>
      e.selectFrom('removed_pages').select('undo_id').where('account_id', '=', accountId).where('id', '=', parent),
    )
    .orderBy('undo_id', 'desc')
    .limit(DELETE_BATCH_SIZE)
    .execute();
  let { position } = page;
  const behind: number[] = [];
  for (const other of earlier) {
    if (position < other.position) behind.push(other.id);
    else position += 1;
  }
  const change = trx.updateTable('removed_pages').where('account_id', '=', accountId);
  await change
    .set({ position: sql<number>`position - 1` })
    .where(inJsonList(trx, 'id', sql.val(JSON.stringify(behind)), 'bigint'))
    .execute();
  await change.set({ position: NO_POSITION }).where('id', '=', pageId).execute();
}

/**
 * Purges the pages in batches, since each statement looks for the rows of all pages that it is given. Of a batch, the pages
 * themselves are deleted last: what belongs to them is found by their ids.
 */
async function purgePages(db: Db, accountId: number, undoId: number): Promise<void> {
  for (;;) {
    const pages = await db
      .selectFrom('removed_pages')
      .select('id')
      .where('account_id', '=', accountId)
      .where('undo_id', '=', undoId)
      .limit(DELETE_BATCH_SIZE)
      .execute();
    if (pages.length === 0) return;
    const ids = sql.join(pages.map(({ id }) => id));
    const theirs = sql`account_id = ${accountId} and page_id in (${ids})`;
    await purgeTexts(db, accountId, 'revisions', ['id'], theirs);
    await purgeTexts(db, accountId, 'drafts', ['page_id', 'user_id'], theirs);
    const imageKey = ['account_id', 'page_id', 'draft_by', 'hash'];
    await deleteInBatches(db, { table: 'page_images', key: imageKey, where: theirs });
    await deleteInBatches(db, { table: 'redirects', key: ['id'], where: theirs });
    await purgeTexts(db, accountId, 'removed_pages', ['id'], sql`account_id = ${accountId} and id in (${ids})`);
  }
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
