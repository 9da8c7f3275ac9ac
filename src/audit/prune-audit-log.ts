import type { Db } from '../db/database.ts';
import { deleteUntil } from '../db/delete-in-batches.ts';

/** How long events are kept: 400 days, so that a whole year can be reviewed. */
export const AUDIT_LOG_RETENTION_MS = 400 * 24 * 60 * 60 * 1000;

/** Deletes events older than the retention period. Returns the number of deleted events. */
export async function pruneAuditLog(db: Db, now = Date.now()): Promise<number> {
  return deleteUntil(db, { table: 'audit_log', time: 'at', until: now - AUDIT_LOG_RETENTION_MS });
}
