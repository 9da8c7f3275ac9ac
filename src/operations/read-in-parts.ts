/** How many rows are in memory at once. */
const PART = 2000;

/**
 * All rows of a query, however many, in parts: `read` gives the next `limit` rows after the given one, in an order that
 * leaves no two rows equal. (PostgreSQL's driver would otherwise fetch the whole result.)
 */
export async function* readInParts<R>(read: (after: R | undefined, limit: number) => Promise<R[]>): AsyncGenerator<R> {
  let after: R | undefined;
  for (;;) {
    const part = await read(after, PART);
    yield* part;
    if (part.length < PART) return;
    after = part.at(-1);
  }
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
