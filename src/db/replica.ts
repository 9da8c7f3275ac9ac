import type { Db } from './database.ts';

/** A copy of the database that PostgreSQL keeps up to date, and that may be some time behind. */
export interface Replica {
  readonly db: Db;
  /** Whether the last attempt to read from it failed. */
  isFailing: boolean;
  /** Called when `isFailing` has changed, with the reason if it is true. */
  onChange: (reason?: unknown) => void;
}

const replicas = new WeakMap<object, Replica>();

export function registerReplica(db: Db, replica: Db): void {
  replicas.set(db.getExecutor().adapter, { db: replica, isFailing: false, onChange: () => {} });
}

/** Returns the replica of the database; undefined where there is none. */
export function replicaOf(db: Db): Replica | undefined {
  return replicas.get(db.getExecutor().adapter);
}
