import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { REMOVAL_RETENTION_MS } from '../removals/removals.ts';

/** Purges deleted notes that can no longer be restored. Returns how many. */
export function pruneNotes(db: Db): Promise<number> {
  const where = sql`deleted_at <= ${Date.now() - REMOVAL_RETENTION_MS}`;
  return deleteInBatches(db, { table: 'customer_notes', key: ['id'], where });
}
