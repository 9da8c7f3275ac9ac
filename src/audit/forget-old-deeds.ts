import type { Db } from '../db/database.ts';
import { inParts } from '../db/in-parts.ts';

/** How long the log goes back, in milliseconds: 400 days, so that a year can be looked at when it is over. */
export const DEEDS_KEPT_FOR = 400 * 24 * 60 * 60 * 1000;

/** How many entries are looked at in one transaction. */
const PART = 500;

/** Removes what was noted in accounts' logs longer ago; returns how many entries. */
export async function forgetOldDeeds(db: Db, now = Date.now()): Promise<number> {
  return inParts(db, PART, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('audit_log')
      // Ids go with the time, so no index of the times is needed: where none of these is old, no other is.
      .where('id', 'in', (e) => e.selectFrom('audit_log').select('id').orderBy('id').limit(PART))
      .where('at', '<=', now - DEEDS_KEPT_FOR)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}
