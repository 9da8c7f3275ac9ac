import { type Db, dialectOf, type Trx } from './database.ts';

/** How many rows a change may write on a connection that other requests wait for. Most rows take 10 to 40 µs each. */
const MAX_ROWS = 500;

/** How many bytes of texts these rows may have: SQLite writes the whole row, even if its text stays the same. */
const MAX_BYTES = 256 * 1024;

const UNLIMITED_ROWS = 2 ** 50;

const limited = new WeakSet<object>();

/**
 * Limits changes on these connections to `MAX_ROWS` rows, and on SQLite also to `MAX_BYTES`. SQLite's statements run in the
 * calling thread, which answers no other request meanwhile. PostgreSQL's do not, but requests that wait for the change's
 * lock hold connections: long changes of a few accounts at once would leave none for others.
 */
export function limitChanges(db: Db): void {
  limited.add(db.getExecutor().adapter);
}

/** Returns how many rows a change on this connection may write. */
export function maxRows(trx: Db | Trx): number {
  return limited.has(trx.getExecutor().adapter) ? MAX_ROWS : UNLIMITED_ROWS;
}

/** Checks how many rows a change is about to write. @throws ChangeTooLong */
export function checkRows(trx: Trx, rows: number): void {
  if (rows > maxRows(trx)) throw new ChangeTooLong();
}

/** Checks how many bytes SQLite is about to write. Calls `count` only if the connection is limited. @throws ChangeTooLong */
export async function checkBytes(trx: Trx, count: () => Promise<number>): Promise<void> {
  if (dialectOf(trx) === 'postgres' || !limited.has(trx.getExecutor().adapter)) return;
  if ((await count()) > MAX_BYTES) throw new ChangeTooLong();
}

/** The error if a change would write more rows or bytes than its connection allows. Another thread can make the change. */
export class ChangeTooLong extends Error {
  constructor() {
    super('The change writes too much for a connection on which others wait.');
    this.name = 'ChangeTooLong';
  }
}
