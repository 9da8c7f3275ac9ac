import { sql } from 'kysely';
import { AUDIT_LOG_RETENTION_MS } from '../audit/prune-audit-log.ts';
import type { Db } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';

/**
 * Deletes pushes older than the audit log's retention, with their reports. They can no longer be undone. Returns the number.
 */
export async function prunePushes(db: Db): Promise<number> {
  const old = sql`created_at <= ${Date.now() - AUDIT_LOG_RETENTION_MS} and finished_at is not null`;
  const reports = sql`push_id in (select id from template_pushes where ${old})`;
  await deleteInBatches(db, { table: 'template_push_sites', key: ['account_id', 'push_id'], where: reports });
  return deleteInBatches(db, { table: 'template_pushes', key: ['id'], where: old });
}
