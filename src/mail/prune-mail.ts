import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { inBatches } from '../db/in-batches.ts';

/** How long mail that was sent can still be looked up: 90 days from when it was written. */
export const MAIL_RETENTION_MS = 90 * 24 * 60 * 60 * 1000;

/** How many messages are removed in one transaction. */
const BATCH_SIZE = 500;

/** Removes mail that was sent or kept as a file long ago, with what it said; returns how many messages. Other mail stays. */
export async function pruneMail(db: Db, now = Date.now(), part = BATCH_SIZE): Promise<number> {
  return (await forgetOld(db, 'sent', now, part)) + (await forgetOld(db, 'kept', now, part));
}

function forgetOld(db: Db, status: 'sent' | 'kept', now: number, part: number): Promise<number> {
  return inBatches(db, part, async (trx) => {
    const old = trx
      .selectFrom('outbox')
      .select('id')
      // Written out, since each index has only what is of one status.
      .where('status', '=', sql.lit(status))
      .where('created_at', '<', now - MAIL_RETENTION_MS)
      .orderBy('created_at')
      .limit(part);
    const { numDeletedRows } = await trx.deleteFrom('outbox').where('id', 'in', old).executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}
