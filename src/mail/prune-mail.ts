import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { inBatches } from '../db/in-batches.ts';

/** How long sent mail is retained: 90 days after it was written. */
export const MAIL_RETENTION_MS = 90 * 24 * 60 * 60 * 1000;

/** How many messages one transaction deletes. */
const BATCH_SIZE = 500;

/** Deletes messages that were sent or stored as files and are older than the retention time. Returns how many. */
export async function pruneMail(db: Db, now = Date.now(), batchSize = BATCH_SIZE): Promise<number> {
  return (await deleteOld(db, 'sent', now, batchSize)) + (await deleteOld(db, 'kept', now, batchSize));
}

function deleteOld(db: Db, status: 'sent' | 'kept', now: number, batchSize: number): Promise<number> {
  return inBatches(db, batchSize, async (trx) => {
    const old = trx
      .selectFrom('outbox')
      .select('id')
      // A literal, since each partial index covers one status.
      .where('status', '=', sql.lit(status))
      .where('created_at', '<', now - MAIL_RETENTION_MS)
      .orderBy('created_at')
      .limit(batchSize);
    const { numDeletedRows } = await trx.deleteFrom('outbox').where('id', 'in', old).executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}
