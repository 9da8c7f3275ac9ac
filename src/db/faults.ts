import type { Db } from './database.ts';
import type { OutageKind } from './postgres-watch.ts';

/** Problems of a database that affect more than one query. Texts are sentences for the operator without a full stop. */
export interface DatabaseFaults {
  /** The first damage that a query reported, or undefined. Other queries may still work. */
  damage: string | undefined;
  /** How the database's files were lost, or undefined while they are in place. Once this is set, no commit is acknowledged. */
  lost: string | undefined;
  /** What the database does not answer at present, or undefined while it answers. Only known of PostgreSQL. */
  outage: OutageKind | undefined;
  /** Called when damage or a loss is recorded. */
  onChange: () => void;
  /** Called when an outage begins, changes or ends. */
  onOutage: () => void;
  /** Checks whether the files are in place, and records a loss. Each commit does so too before it is acknowledged. */
  checkFiles: () => void;
}

const faultsByAdapter = new WeakMap<object, DatabaseFaults>();

/** Creates the faults of a database, which `faultsOf` returns from now on. */
export function registerFaults(adapter: object, checkFiles: () => void = () => {}): DatabaseFaults {
  const faults: DatabaseFaults = {
    damage: undefined,
    lost: undefined,
    outage: undefined,
    onChange: () => {},
    onOutage: () => {},
    checkFiles,
  };
  faultsByAdapter.set(adapter, faults);
  return faults;
}

export function faultsOf(db: Db): DatabaseFaults {
  return faultsByAdapter.get(db.getExecutor().adapter)!;
}

/** Records the damage that an error reports, if it affects more than its own query. */
export function recordDamage(faults: DatabaseFaults, error: unknown): void {
  if (error instanceof Error && isDamage(error)) recordDamageMessage(faults, error.message);
}

/** Records damage that another connection has found. */
export function recordDamageMessage(faults: DatabaseFaults, damage: string): void {
  if (faults.damage !== undefined) return;
  faults.damage = damage;
  faults.onChange();
}

/** Records that an outage has begun, changed or ended. */
export function recordOutage(faults: DatabaseFaults, outage: OutageKind | undefined): void {
  faults.outage = outage;
  faults.onOutage();
}

/** Returns true if the database could not read or write its own files, for a reason other than a lack of space or memory. */
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
