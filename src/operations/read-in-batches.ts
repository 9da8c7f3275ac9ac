import { setImmediate } from 'node:timers/promises';

/** How many rows are in memory at once. */
const BATCH_SIZE = 500;

/** Reads the next rows after the given one, `limit` at most, in an order that leaves no two rows equal. */
type ReadBatch<R> = (after: R | undefined, limit: number) => Promise<R[]>;

/**
 * Reads all rows of a query, however many, in arrays of bounded length. (PostgreSQL's driver would otherwise fetch the whole
 * result.) `read` uses `limitInIndexOrder` where most rows are wanted, since PostgreSQL may otherwise sort the rest
 * for each part; and a plain limit where few are, since it would otherwise look through another table for each row.
 */
export async function* readBatches<R>(read: ReadBatch<R>): AsyncGenerator<R[]> {
  let after: R | undefined;
  for (;;) {
    const part = await read(after, BATCH_SIZE);
    if (part.length > 0) yield part;
    if (part.length < BATCH_SIZE) return;
    after = part.at(-1);
    // SQLite answers within one turn of the event loop, and V8 finishes no collection of garbage until that ends.
    await setImmediate();
  }
}

/** Reads the same rows one by one. Millions of rows are read several times as fast by `readBatches`. */
export async function* readInBatches<R>(read: ReadBatch<R>): AsyncGenerator<R> {
  for await (const part of readBatches(read)) yield* part;
}

/** Rows that follow one another and have the same key, together. */
export async function* groups<R>(rows: AsyncIterable<R>, keyOf: (row: R) => number): AsyncGenerator<[R, ...R[]]> {
  let group: [R, ...R[]] | undefined;
  for await (const row of rows) {
    if (group && keyOf(group[0]) === keyOf(row)) group.push(row);
    else {
      if (group) yield group;
      group = [row];
    }
  }
  if (group) yield group;
}
