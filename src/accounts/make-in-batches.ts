import type { Db, Trx } from '../db/database.ts';

/** How many changes one transaction makes. Other changes to the account and its customers wait for it. */
const CHANGES_AT_ONCE = 50;

interface DueOptions {
  /** The days that have begun in their seller's time zone. */
  days: readonly { accountId: number; day: string }[];
  /** Returns the first ids above `after` of the changes that are due on the seller's day. */
  list: (accountId: number, day: string, page: { after: number; limit: number }) => Promise<number[]>;
  /** Makes the changes that are still due, and returns how many: another process may have been faster. */
  make: (trx: Trx, accountId: number, ids: readonly number[]) => Promise<number>;
  signal: AbortSignal | undefined;
}

/**
 * Makes due changes, in transactions of several changes of one seller, and returns how many. If such a transaction fails,
 * its changes are made one by one. Stops between two transactions when the signal is aborted.
 * @throws the error of the first change that failed on its own
 */
export async function makeInBatches(db: Db, { days, list, make, signal }: DueOptions): Promise<number> {
  const failures: unknown[] = [];
  let count = 0;
  const makeSome = async (accountId: number, ids: readonly number[]): Promise<void> => {
    try {
      count += await db.transaction().execute((trx) => make(trx, accountId, ids));
    } catch (error) {
      if (ids.length === 1) failures.push(error);
      else for (const id of ids) await makeSome(accountId, [id]);
    }
  };
  for (const { accountId, day } of days) {
    for (let after = 0; !signal?.aborted; ) {
      const ids = await list(accountId, day, { after, limit: CHANGES_AT_ONCE });
      if (ids.length > 0) await makeSome(accountId, ids);
      if (ids.length < CHANGES_AT_ONCE) break;
      after = ids.at(-1)!;
    }
  }
  if (failures.length > 0) throw failures[0];
  return count;
}
