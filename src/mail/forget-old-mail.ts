import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** How long mail that was sent can still be looked up, in milliseconds: 90 days from when it was written. */
export const MAIL_KEPT_FOR = 90 * 24 * 60 * 60 * 1000;

/** Removes mail that was sent long ago, with what it said; returns how many messages. What was not sent stays. */
export async function forgetOldMail(db: Db, now = Date.now()): Promise<number> {
  // Written out, since the index has only what was sent.
  return db.transaction().execute(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('outbox')
      .where('status', '=', sql.lit('sent'))
      .where('created_at', '<', now - MAIL_KEPT_FOR)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}
