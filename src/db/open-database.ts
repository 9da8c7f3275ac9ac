import type { Db } from './database.ts';
import type { OnConnect } from './new-connection.ts';
import { checkReplica } from './replica.ts';

export interface DatabaseConfig {
  /** The folder of the SQLite file `freehold.db`. */
  dataDir: string;
  /** The folder of the continuous backup, which follows SQLite's log; empty or undefined for none. */
  backupFolder?: string;
  /** A `postgres://` address; empty for SQLite. */
  databaseUrl: string;
  /** How many connections to PostgreSQL one process may hold. */
  databasePool: number;
  /** How long PostgreSQL may take to answer, in milliseconds; 0 or undefined for no limit. */
  databaseTimeoutMs?: number;
  /**
   * The `postgres://` address of a replica, which may be behind; empty or undefined for none. Only `recentSnapshot` reads
   * from it.
   */
  databaseReplicaUrl?: string;
  /** True if a statement may take a minute while the database answers others, as one that changes many pages does. */
  hasLongStatements?: boolean;
  /** True if the database is only opened for large requests: SQLite then keeps less of the file in memory. */
  isForLargeRequests?: boolean;
}

/** How long a replica may take to answer before the primary is asked instead. */
const REPLICA_TIMEOUT_MS = 2000;

/** Opens the database that the configuration names. Creates the SQLite file if there is none, but migrates nothing. */
export async function openDatabase(config: DatabaseConfig, onConnect?: OnConnect): Promise<Db> {
  if (config.databaseUrl !== '') {
    const { openPostgres } = await import('./postgres.ts');
    const { databaseUrl, databasePool, databaseTimeoutMs = 0, hasLongStatements = false } = config;
    const replica = config.databaseReplicaUrl
      ? openPostgres(config.databaseReplicaUrl, {
          poolSize: databasePool,
          timeoutMs: REPLICA_TIMEOUT_MS,
          hasLongStatements: false,
          isReplica: true,
          onConnect: (connection) => checkReplica(connection, db),
        })
      : undefined;
    const db = openPostgres(databaseUrl, {
      poolSize: databasePool,
      timeoutMs: databaseTimeoutMs,
      hasLongStatements,
      onConnect,
      replica,
    });
    return db;
  }
  const { openSqlite } = await import('./sqlite.ts');
  return openSqlite(config.dataDir, {
    isFollowed: Boolean(config.backupFolder),
    isForLargeRequests: config.isForLargeRequests ?? false,
  });
}
