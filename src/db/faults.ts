import type { Db } from './database.ts';
import type { OutageKind } from './postgres-watch.ts';

/** Problems of a database that concern more than one query. Each is a sentence for the operator without its full stop. */
export interface DatabaseFaults {
  /** The first damage that a query reported; undefined while none has. Other queries may still work. */
  damage: string | undefined;
  /** Describes how the database's files were lost; undefined while they are in place. Once set, no commit is acknowledged. */
  lost: string | undefined;
  /** The kind of requests that the database does not answer at present; undefined while it answers. Only known of PostgreSQL. */
  outage: OutageKind | undefined;
  /** Called when damage or a loss becomes known. */
  onChange: () => void;
  /** Called when an outage begins, changes or ends. */
  onOutage: () => void;
  /** Checks whether the files are in place, and notes it. Each commit checks too before it is acknowledged. */
  checkFiles: () => void;
}

const faultsByAdapter = new WeakMap<object, DatabaseFaults>();

/** Registers the database for `faultsOf`. */
export function registerFaults(adapter: object, look: () => void = () => {}): DatabaseFaults {
  const faults: DatabaseFaults = {
    damage: undefined,
    lost: undefined,
    outage: undefined,
    onChange: () => {},
    onOutage: () => {},
    checkFiles: look,
  };
  faultsByAdapter.set(adapter, faults);
  return faults;
}

export function faultsOf(db: Db): DatabaseFaults {
  return faultsByAdapter.get(db.getExecutor().adapter)!;
}

/** Notes the damage that an error reports, if it concerns more than its own query. */
export function recordDamage(faults: DatabaseFaults, error: unknown): void {
  if (error instanceof Error && isDamage(error)) noteDamageFound(faults, error.message);
}

/** Notes damage that another connection has found. */
export function noteDamageFound(faults: DatabaseFaults, damage: string): void {
  if (faults.damage !== undefined) return;
  faults.damage = damage;
  faults.onChange();
}

/** Notes that an outage has begun or ended. */
export function recordOutage(faults: DatabaseFaults, outage: OutageKind | undefined): void {
  faults.outage = outage;
  faults.onOutage();
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
