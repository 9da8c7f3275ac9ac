import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { REMOVAL_RETENTION_MS } from '../removals/removals.ts';

/** Deletes cancelled changes that can no longer be restored. Returns the number of deleted changes. */
export function pruneCancelledChanges(db: Db): Promise<number> {
  const where = sql`cancelled_at <= ${Date.now() - REMOVAL_RETENTION_MS}`;
  return deleteInBatches(db, { table: 'scheduled_plan_changes', key: ['id'], where });
}
