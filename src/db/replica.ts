import { sql } from 'kysely';
import type { Db } from './database.ts';
import type { NewConnection } from './new-connection.ts';

/** A copy of the database that PostgreSQL keeps up to date, but that may be behind for some time. */
export interface Replica {
  readonly db: Db;
  /** True if the last attempt to read from the replica failed. */
  isFailing: boolean;
  /** Called when `isFailing` has changed, with the reason if it is true. */
  onChange: (reason?: unknown) => void;
}

const replicas = new WeakMap<object, Replica>();

export function registerReplica(db: Db, replica: Db): void {
  replicas.set(db.getExecutor().adapter, { db: replica, isFailing: false, onChange: () => {} });
}

/** Returns the replica of the database, or undefined if there is none. */
export function replicaOf(db: Db): Replica | undefined {
  return replicas.get(db.getExecutor().adapter);
}

/**
 * Selects an identity that a database shares with its standby servers. Another database, such as a copy on another timeline,
 * has another.
 */
const IDENTITY = `select d.oid::text || ' ' || t.timeline as identity from pg_database d, database_timeline t
  where d.datname = current_database()`;

/**
 * Refuses a connection to a server that is no standby of the database, such as the replica of another installation: an
 * account with the same id there belongs to somebody else. @throws Error
 */
export async function checkReplica(connection: NewConnection, primary: Db): Promise<void> {
  const [wanted, found] = await Promise.all([
    sql<{ identity: string }>`${sql.raw(IDENTITY)}`.execute(primary),
    connection.query(IDENTITY),
  ]);
  if (found.rows[0]?.identity !== wanted.rows[0]?.identity) {
    throw new Error('it is not a standby server of the database in DATABASE_URL, or is far behind it');
  }
}
