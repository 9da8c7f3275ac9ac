import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

export type Dialect = 'sqlite' | 'postgres';

/**
 * The typed way to the database. Outside a transaction it only reads; every change is made in
 * `db.transaction().execute(async (trx) => …)`, but for one of a single statement, which is its own (`create-page-at-once.ts`).
 */
export type Db = Kysely<Schema>;
export type Trx = Transaction<Schema>;

export interface DatabaseConfig {
  /** Where the SQLite file `freehold.db` lies. */
  dataDir: string;
  /** A `postgres://` address; empty for SQLite. */
  databaseUrl: string;
  /** How many connections to PostgreSQL one process may hold. */
  databasePool: number;
}

/** Opens the database the configuration names; nothing is created or migrated beyond the SQLite file itself. */
export async function openDatabase(config: DatabaseConfig): Promise<Db> {
  if (config.databaseUrl !== '') {
    const { openPostgres } = await import('./postgres.ts');
    return openPostgres(config.databaseUrl, config.databasePool);
  }
  const { openSqlite } = await import('./sqlite.ts');
  return openSqlite(config.dataDir);
}

/** Which of the two databases this is: for migrations, backups and the few statements that must differ. */
export function dialectOf(db: Db | Kysely<unknown>): Dialect {
  return db.getExecutor().adapter.constructor.name === 'PostgresAdapter' ? 'postgres' : 'sqlite';
}
