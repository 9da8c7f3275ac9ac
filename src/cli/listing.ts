import type { Listing } from './command.ts';
import { columns, printable } from './output.ts';

/** How many rows are in memory, and printed at once. */
const PART = 500;

/**
 * Turns a list into the texts to print one after another, so that memory holds a part of it. The first part decides how wide
 * the columns are; from a longer cell on they grow.
 */
export async function* printed({ name, head, empty, rows }: Listing, json: boolean): AsyncGenerator<string> {
  let isFirst = true;
  const widths: number[] = [];
  for await (const part of parts(rows)) {
    if (json) {
      const texts = part.map((row) => JSON.stringify(row.json)).join(',');
      yield isFirst ? `{${JSON.stringify(name)}:[${texts}` : `,${texts}`;
    } else {
      const cells = part.map((row) => row.cells.map(printable));
      yield `${columns(isFirst ? [head, ...cells] : cells, widths)}\n`;
    }
    isFirst = false;
  }
  if (json) yield isFirst ? `{${JSON.stringify(name)}:[]}\n` : ']}\n';
  else if (isFirst) yield `${empty}\n`;
}

async function* parts<R>(rows: AsyncIterable<R>): AsyncGenerator<R[]> {
  let part: R[] = [];
  for await (const row of rows) {
    part.push(row);
    if (part.length < PART) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

/** Each of the rows, as a list shows it. */
export async function* mapped<R, S>(rows: AsyncIterable<R>, show: (row: R) => S): AsyncGenerator<S> {
  for await (const row of rows) yield show(row);
}
