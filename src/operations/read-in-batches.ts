import { setImmediate } from 'node:timers/promises';

const BATCH_SIZE = 500;

/** Reads at most `limit` rows after the given one, in a total order. */
type ReadBatch<R> = (after: R | undefined, limit: number) => Promise<R[]>;

/**
 * Reads all rows of a query, of any number, in arrays of bounded length. (PostgreSQL's driver would otherwise fetch the
 * whole result.) `read` uses `limitInIndexOrder` if most rows match, since PostgreSQL may otherwise sort all remaining rows
 * for each batch. It uses a plain limit if few match, since PostgreSQL would otherwise look up another table for each row.
 */
export async function* readBatches<R>(read: ReadBatch<R>): AsyncGenerator<R[]> {
  let after: R | undefined;
  for (;;) {
    const part = await read(after, BATCH_SIZE);
    if (part.length > 0) yield part;
    if (part.length < BATCH_SIZE) return;
    after = part.at(-1);
    // SQLite answers within one turn of the event loop, and V8 finishes no garbage collection until that turn ends.
    await setImmediate();
  }
}

/** Reads the rows one by one. `readBatches` reads millions of rows several times as fast. */
export async function* readInBatches<R>(read: ReadBatch<R>): AsyncGenerator<R> {
  for await (const part of readBatches(read)) yield* part;
}

/** Yields arrays of consecutive rows that have the same key. */
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
