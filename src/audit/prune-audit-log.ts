import type { Db } from '../db/database.ts';
import { inBatches } from '../db/in-batches.ts';

/** How long events are kept: 400 days, so that a whole year can be reviewed. */
export const AUDIT_LOG_RETENTION_MS = 400 * 24 * 60 * 60 * 1000;

/** How many entries one transaction examines. */
const BATCH_SIZE = 500;

/** Deletes events older than the retention period. Returns how many. */
export async function pruneAuditLog(db: Db, now = Date.now()): Promise<number> {
  return inBatches(db, BATCH_SIZE, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('audit_log')
      // Ids grow with time, so no index on the time is needed: if none of the lowest ids is old, nothing is.
      .where('id', 'in', (e) => e.selectFrom('audit_log').select('id').orderBy('id').limit(BATCH_SIZE))
      .where('at', '<=', now - AUDIT_LOG_RETENTION_MS)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}
