import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { deleteInParts } from '../db/delete-in-parts.ts';
import { RESTORABLE_FOR } from './removal.ts';

/** Forgets what it took to undo removals that cannot be undone any more. Returns how many. */
export function forgetRemovals(db: Db, now = Date.now()): Promise<number> {
  return deleteInParts(db, { table: 'removals', key: ['id'], where: sql`created_at <= ${now - RESTORABLE_FOR}` });
}
