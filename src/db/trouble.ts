import type { Db } from './database.ts';

/** Problems of a database that concern more than one query. Each is a sentence for the operator without its full stop. */
export interface Trouble {
  /** The first damage that a query reported; undefined while none has. Other queries may still work. */
  damage: string | undefined;
  /** Describes how the database's files were lost; undefined while they are in place. Once set, no commit is acknowledged. */
  lost: string | undefined;
  /** Called when either becomes known. */
  onChange: () => void;
  /** Checks whether the files are in place, and notes it. Each commit checks too before it is acknowledged. */
  look: () => void;
}

const troubles = new WeakMap<object, Trouble>();

/** Registers the database for `troubleOf`. */
export function tellsTrouble(adapter: object, look: () => void = () => {}): Trouble {
  const trouble: Trouble = { damage: undefined, lost: undefined, onChange: () => {}, look };
  troubles.set(adapter, trouble);
  return trouble;
}

export function troubleOf(db: Db): Trouble {
  return troubles.get(db.getExecutor().adapter)!;
}

/** Notes the damage that an error reports, if it concerns more than its own query. */
export function noteDamage(trouble: Trouble, error: unknown): void {
  if (trouble.damage !== undefined || !(error instanceof Error) || !isDamage(error)) return;
  trouble.damage = error.message;
  trouble.onChange();
}

/** Tells whether the database could not read or write its own files, for another reason than a lack of space or memory. */
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
