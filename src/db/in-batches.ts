import type { Db, Trx } from './database.ts';

/**
 * Runs `work` in one transaction after another, so that nobody waits for all of it. `work` returns how many items it did.
 * The loop ends when these are fewer than `batchSize`. Returns the total.
 */
export async function inBatches(db: Db, batchSize: number, work: (trx: Trx) => Promise<number>): Promise<number> {
  for (let count = 0; ; ) {
    const done = await db.transaction().execute(work);
    count += done;
    if (done < batchSize) return count;
  }
}
