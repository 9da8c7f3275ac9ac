import type { Db } from './database.ts';
import type { OnConnect } from './new-connection.ts';

export interface DatabaseConfig {
  /** The folder of the SQLite file `freehold.db`. */
  dataDir: string;
  /** A `postgres://` address; empty for SQLite. */
  databaseUrl: string;
  /** How many connections to PostgreSQL one process may hold. */
  databasePool: number;
  /** How long PostgreSQL may take to answer, in milliseconds; 0 or nothing for no limit. */
  databaseTimeout?: number;
  /** Whether a statement may take a minute if the database answers others: one that changes many pages does. */
  hasLongStatements?: boolean;
}

/** Opens the database the configuration names; nothing is created or migrated beyond the SQLite file itself. */
export async function openDatabase(config: DatabaseConfig, onConnect?: OnConnect): Promise<Db> {
  if (config.databaseUrl !== '') {
    const { openPostgres } = await import('./postgres.ts');
    const { databaseUrl, databasePool, databaseTimeout = 0, hasLongStatements = false } = config;
    return openPostgres(databaseUrl, {
      poolSize: databasePool,
      timeoutMs: databaseTimeout,
      hasLongStatements,
      onConnect,
    });
  }
  const { openSqlite } = await import('./sqlite.ts');
  return openSqlite(config.dataDir);
}
