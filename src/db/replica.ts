import { sql } from 'kysely';
import type { Db } from './database.ts';
import type { NewConnection } from './new-connection.ts';

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

/** Identifies a database together with its standby servers. Another database, such as a copy on another timeline, has another identity. */
const IDENTITY = `select d.oid::text || ' ' || t.timeline as identity from pg_database d, database_timeline t
  where d.datname = current_database()`;

/**
 * Refuses a connection to what is no standby server of the database, such as the replica of another installation: an account with the
 * same id there is somebody else's. @throws Error
 */
export async function checkReplica(connection: NewConnection, primary: Db): Promise<void> {
  const [wanted, found] = await Promise.all([
    sql<{ identity: string }>`${sql.raw(IDENTITY)}`.execute(primary),
    connection.query(IDENTITY),
  ]);
  if (found.rows[0]?.identity !== wanted.rows[0]?.identity) {
    throw new Error('it is no standby server of the database of DATABASE_URL, or is far behind it');
  }
}
