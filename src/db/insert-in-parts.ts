import type { Trx } from './database.ts';
import type { Schema } from './schema.ts';

/** How many rows one statement inserts, and how many bytes. */
const MAX_PART = { rows: 100, bytes: 4 * 1024 * 1024 };

type Row = Record<string, string | number | null>;

/** Inserts any number of rows in parts: those that follow each other in one table together. */
export class RowInserter {
  readonly #trx: Trx;
  #table = '';
  #rows: Row[] = [];
  #bytes = 0;

  constructor(trx: Trx) {
    this.#trx = trx;
  }

  /** Inserts the row with this part or the next one. `size` is roughly the memory that it takes, in bytes. */
  async add(table: string, row: Row, size: number): Promise<void> {
    const isFull = this.#rows.length === MAX_PART.rows || this.#bytes + size > MAX_PART.bytes;
    if (isFull || this.#table !== table) await this.flush();
    this.#table = table;
    this.#rows.push(row);
    this.#bytes += size;
  }

  /** Inserts the rows that are left. */
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
