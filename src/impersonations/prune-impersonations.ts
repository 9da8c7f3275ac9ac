import { AUDIT_LOG_RETENTION_MS } from '../audit/prune-audit-log.ts';
import type { Db } from '../db/database.ts';
import { inBatches } from '../db/in-batches.ts';

/** How many impersonations one transaction examines. */
const BATCH_SIZE = 500;

/** Deletes impersonations that began before the retention period of the audit log, which names them too. Returns how many. */
export async function pruneImpersonations(db: Db, now = Date.now(), part = BATCH_SIZE): Promise<number> {
  return inBatches(db, part, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('impersonations')
      // Ids grow with time, so no index on the time is needed.
      .where('id', 'in', (e) => e.selectFrom('impersonations').select('id').orderBy('id').limit(part))
      .where('started_at', '<=', now - AUDIT_LOG_RETENTION_MS)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}
