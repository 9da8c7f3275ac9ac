import type { Db } from '../db/database.ts';
import { inBatches } from '../db/in-batches.ts';

/** How long the log goes back: 400 days, so that a year can be looked at when it is over. */
export const AUDIT_LOG_RETENTION_MS = 400 * 24 * 60 * 60 * 1000;

/** How many entries are looked at in one transaction. */
const BATCH_SIZE = 500;

/** Removes what was noted in accounts' logs longer ago; returns how many entries. */
export async function pruneAuditLog(db: Db, now = Date.now()): Promise<number> {
  return inBatches(db, BATCH_SIZE, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('audit_log')
      // Ids go with the time, so no index of the times is needed: where none of these is old, no other is.
      .where('id', 'in', (e) => e.selectFrom('audit_log').select('id').orderBy('id').limit(BATCH_SIZE))
      .where('at', '<=', now - AUDIT_LOG_RETENTION_MS)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}
