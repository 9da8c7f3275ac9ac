import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { inBatches } from '../db/in-batches.ts';

/** How long sent mail can be looked up: 90 days from when it was written. */
export const MAIL_RETENTION_MS = 90 * 24 * 60 * 60 * 1000;

/** How many messages one transaction deletes. */
const BATCH_SIZE = 500;

/** Deletes mail that was sent or kept as a file long ago; returns how many messages. Other mail stays. */
export async function pruneMail(db: Db, now = Date.now(), part = BATCH_SIZE): Promise<number> {
  return (await forgetOld(db, 'sent', now, part)) + (await forgetOld(db, 'kept', now, part));
}

function forgetOld(db: Db, status: 'sent' | 'kept', now: number, part: number): Promise<number> {
  return inBatches(db, part, async (trx) => {
    const old = trx
      .selectFrom('outbox')
      .select('id')
      // A literal, since each partial index covers one status.
      .where('status', '=', sql.lit(status))
      .where('created_at', '<', now - MAIL_RETENTION_MS)
      .orderBy('created_at')
      .limit(part);
    const { numDeletedRows } = await trx.deleteFrom('outbox').where('id', 'in', old).executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}
