import type { Db } from './database.ts';

/** What is wrong with a database beyond a single query. Each is a sentence for the operator, without its full stop. */
export interface Trouble {
  /** The first damage that a query reported; undefined while none has. Other queries may still work. */
  damage: string | undefined;
  /** What became of the database's files; undefined while they are in their place. Nothing may be acknowledged any more. */
  lost: string | undefined;
  /** Called when either becomes known. */
  onChange: () => void;
  /** Looks whether the files are in their place, and notes it. What is committed is preceded by a look of its own. */
  look: () => void;
}

const troubles = new WeakMap<object, Trouble>();

/** Lets `troubleOf` tell of this database. */
export function tellsTrouble(adapter: object, look: () => void = () => {}): Trouble {
  const trouble: Trouble = { damage: undefined, lost: undefined, onChange: () => {}, look };
  troubles.set(adapter, trouble);
  return trouble;
}

export function troubleOf(db: Db): Trouble {
  return troubles.get(db.getExecutor().adapter)!;
}

/** Notes what an error of the database tells beyond the query that it is of. */
export function noteDamage(trouble: Trouble, error: unknown): void {
  if (trouble.damage !== undefined || !(error instanceof Error) || !isDamage(error)) return;
  trouble.damage = error.message;
  trouble.onChange();
}

/** Whether the database could not read, or not write, its own files: not for want of room, or of memory. */
function isDamage(error: Error): boolean {
  if ('errcode' in error && typeof error.errcode === 'number') {
    return damagedSqlite.has(error.errcode & 0xff) && error.errcode !== IOERR_NOMEM;
  }
  return 'code' in error && damagedPostgres.has(String(error.code));
}

// IOERR, CORRUPT, NOTADB
const damagedSqlite = new Set([10, 11, 26]);
const IOERR_NOMEM = 3082;
// io_error, data_corrupted, index_corrupted
const damagedPostgres = new Set(['58030', 'XX001', 'XX002']);
