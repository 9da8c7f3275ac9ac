import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { DELETE_BATCH_SIZE, deleteInBatches } from '../db/delete-in-batches.ts';
import { inBatches } from '../db/in-batches.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { deleteFewTexts } from './page-bytes.ts';
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
      .select(['id', 'account_id', 'kind'])
      .where('created_at', '<=', now - UNDO_RETENTION_MS)
      .orderBy('created_at')
      .limit(BATCH_SIZE)
      .execute();
    for (const { id, account_id: accountId, kind } of old) {
      if (kind === 'delete') await purgePages(db, accountId, id);
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
