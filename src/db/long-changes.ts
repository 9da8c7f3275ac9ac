import { type Db, dialectOf, type Trx } from './database.ts';

/** How many rows a change may write where other requests wait for its connection: most take 10 to 40 µs each. */
const MAX_ROWS = 500;

/** How many bytes of texts these rows may have: SQLite writes a row whole, even where its text stays the same. */
const MAX_BYTES = 256 * 1024;

const UNLIMITED_ROWS = 2 ** 50;

const limited = new WeakSet<object>();

/**
 * Limits the changes that are made on these connections to `MAX_ROWS` rows, and on SQLite to `MAX_BYTES`. SQLite's statements run in the
 * thread that calls them, which answers nobody else meanwhile. PostgreSQL's do not, but those that wait for the change's lock
 * hold connections: with long changes of a few accounts at once, none would be left for anybody else.
 */
export function limitChanges(db: Db): void {
  limited.add(db.getExecutor().adapter);
}

/** Returns how many rows a change on this connection may write. */
export function maxRows(trx: Db | Trx): number {
  return limited.has(trx.getExecutor().adapter) ? MAX_ROWS : UNLIMITED_ROWS;
}

/** Checks a number of rows before they are written. @throws ChangeTooLong */
export function checkRows(trx: Trx, rows: number): void {
  if (rows > maxRows(trx)) throw new ChangeTooLong();
}

/** Checks the bytes of the rows before SQLite writes them. `count` is called on a limited connection only. @throws ChangeTooLong */
export async function checkBytes(trx: Trx, count: () => Promise<number>): Promise<void> {
  if (dialectOf(trx) === 'postgres' || !limited.has(trx.getExecutor().adapter)) return;
  if ((await count()) > MAX_BYTES) throw new ChangeTooLong();
}

/** The change would write more rows or bytes than it may on this connection. Another thread can make it. */
export class ChangeTooLong extends Error {
  constructor() {
    super('The change writes too much for a connection on which others wait.');
    this.name = 'ChangeTooLong';
  }
}
