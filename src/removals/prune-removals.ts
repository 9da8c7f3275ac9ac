import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { RESTORE_WINDOW_MS } from './removal.ts';

/** Deletes removals that can no longer be undone. Returns how many. */
export function pruneRemovals(db: Db, now = Date.now()): Promise<number> {
  return deleteInBatches(db, { table: 'removals', key: ['id'], where: sql`created_at <= ${now - RESTORE_WINDOW_MS}` });
}
