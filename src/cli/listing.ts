import type { Listing } from './command.ts';
import { columns, printable, printableJson } from './output.ts';

/**
 * Yields a list as texts to print, so that only one batch is in memory. The columns are as wide as the first batch needs,
 * and grow with longer cells.
 */
export async function* formatListing({ name, head, empty, parts }: Listing, json: boolean): AsyncGenerator<string> {
  let isFirst = true;
  const widths: number[] = [];
  for await (const part of parts) {
    if (json) {
      const texts = part.map((row) => printableJson(row.json)).join(',');
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

/** Converts the rows of each batch. */
export async function* mapBatches<R, S>(parts: AsyncIterable<R[]>, show: (row: R) => S): AsyncGenerator<S[]> {
  for await (const part of parts) yield part.map(show);
}
