import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { inParts } from '../db/in-parts.ts';
import { UNDO_KEPT_FOR } from './undos.ts';

/** How many changes are forgotten in one transaction. */
const PART = 100;

/**
 * Forgets what cannot be undone any more; deleted pages, with all that belonged to them, are gone for good then. Returns
 * how many changes were forgotten.
 */
export async function forgetRemoved(db: Db, now = Date.now()): Promise<number> {
  return inParts(db, PART, async (trx) => {
    const old = await trx
      .selectFrom('undos')
      .select(['id', 'account_id'])
      .where('created_at', '<=', now - UNDO_KEPT_FOR)
      .orderBy('created_at')
      .limit(PART)
      .execute();
    for (const { id, account_id: account } of old) {
      const removed = sql`(select id from removed_pages where account_id = ${account} and undo_id = ${id})`;
      for (const table of ['revisions', 'drafts', 'redirects'] as const) {
        await sql`delete from ${sql.table(table)} where account_id = ${account} and page_id in ${removed}`.execute(trx);
      }
      await trx.deleteFrom('removed_pages').where('account_id', '=', account).where('undo_id', '=', id).execute();
      await trx.deleteFrom('undos').where('account_id', '=', account).where('id', '=', id).execute();
    }
    return old.length;
  });
}
