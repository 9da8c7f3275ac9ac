import type { Db } from '../db/database.ts';
import { RESTORABLE_FOR } from './removal.ts';

/** Forgets what it took to undo removals that cannot be undone any more. Returns how many. */
export async function forgetRemovals(db: Db, now = Date.now()): Promise<number> {
  const { numDeletedRows } = await db.transaction().execute((trx) =>
    trx
      .deleteFrom('removals')
      .where('created_at', '<=', now - RESTORABLE_FOR)
      .executeTakeFirstOrThrow(),
  );
  return Number(numDeletedRows);
}
