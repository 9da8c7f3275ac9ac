import type { Db, Trx } from './database.ts';

/**
 * Does the work in one transaction after another, so that nobody waits for all of it, until it finds less than a whole
 * part to do. `work` returns how much it did, and this how much that was together.
 */
export async function inBatches(db: Db, batchSize: number, work: (trx: Trx) => Promise<number>): Promise<number> {
  for (let count = 0; ; ) {
    const done = await db.transaction().execute(work);
    count += done;
    if (done < batchSize) return count;
  }
}
