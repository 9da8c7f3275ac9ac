import { AUDIT_LOG_RETENTION_MS } from '../audit/prune-audit-log.ts';
import type { Db } from '../db/database.ts';
import { deleteUntil } from '../db/delete-in-batches.ts';

/**
 * Deletes impersonations that started before the retention period of the audit log, which names them as well. Returns how
 * many.
 */
export async function pruneImpersonations(db: Db, now = Date.now(), batchSize?: number): Promise<number> {
  const until = now - AUDIT_LOG_RETENTION_MS;
  return deleteUntil(db, { table: 'impersonations', time: 'started_at', until, batchSize });
}
