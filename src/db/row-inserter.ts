import type { Trx } from './database.ts';
import type { Schema } from './schema.ts';

/** The most rows, and the most bytes, that one statement inserts. */
const MAX_PART = { rows: 100, bytes: 4 * 1024 * 1024 };

type Row = Record<string, string | number | null>;

/** Inserts any number of rows in batches. A batch has consecutive rows of one table. */
export class RowInserter {
  readonly #trx: Trx;
  #table = '';
  #rows: Row[] = [];
  #bytes = 0;

  constructor(trx: Trx) {
    this.#trx = trx;
  }

  /** Adds the row to the current batch or the next one. `size` is roughly the memory that the row takes, in bytes. */
  async add(table: string, row: Row, size: number): Promise<void> {
    const isFull = this.#rows.length === MAX_PART.rows || this.#bytes + size > MAX_PART.bytes;
    if (isFull || this.#table !== table) await this.flush();
    this.#table = table;
    this.#rows.push(row);
    this.#bytes += size;
  }

  /** Inserts the remaining rows. */
  async flush(): Promise<void> {
    if (this.#rows.length === 0) return;
    await this.#trx
      .insertInto(this.#table as keyof Schema)
      .values(this.#rows as never[])
      .execute();
    this.#rows = [];
    this.#bytes = 0;
  }
}
