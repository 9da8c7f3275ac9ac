import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { deleteInParts } from '../db/delete-in-parts.ts';
import { UNDO_KEPT_FOR } from './undos.ts';

/** How many changes are looked at together. */
const PART = 100;

/**
 * Forgets what cannot be undone any more; deleted pages, with all that belonged to them, are gone for good then. However
 * many pages one change deleted, they go in parts; the note of the change goes last, by which the others are found again
 * after a crash. Returns how many changes were forgotten.
 */
export async function forgetRemoved(db: Db, now = Date.now()): Promise<number> {
  for (let count = 0; ; ) {
    const old = await db
      .selectFrom('undos')
      .select(['id', 'account_id', 'kind'])
      .where('created_at', '<=', now - UNDO_KEPT_FOR)
      .orderBy('created_at')
      .limit(PART)
      .execute();
    for (const { id, account_id: accountId, kind } of old) {
      if (kind === 'delete') await forgetPages(db, accountId, id);
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
    if (old.length < PART) return count;
  }
}

const keys = { revisions: ['id'], drafts: ['account_id', 'page_id', 'user_id'], redirects: ['id'] } as const;

/** The pages themselves last: what was theirs is found by them. */
async function forgetPages(db: Db, accountId: number, undoId: number): Promise<void> {
  const removed = sql`(select id from removed_pages where account_id = ${accountId} and undo_id = ${undoId})`;
  for (const table of ['revisions', 'drafts', 'redirects'] as const) {
    const where = sql`account_id = ${accountId} and page_id in ${removed}`;
    await deleteInParts(db, { table, key: keys[table], where });
  }
  const where = sql`account_id = ${accountId} and undo_id = ${undoId}`;
  await deleteInParts(db, { table: 'removed_pages', key: ['account_id', 'id'], where });
}
