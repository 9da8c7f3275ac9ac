import { type Kysely, PostgresAdapter, type Transaction } from 'kysely';
import type { Schema } from './schema.ts';

export type Dialect = 'sqlite' | 'postgres';

/**
 * The typed database. Outside a transaction it only reads. Changes are made in `db.transaction().execute(async (trx) => …)`,
 * except those of a single statement, which is its own transaction (`create-with-others.ts`).
 */
export type Db = Kysely<Schema>;
export type Trx = Transaction<Schema>;

/** Returns the kind of the database: for migrations, backups and the few statements that must differ. */
export function dialectOf(db: Db | Kysely<unknown>): Dialect {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/** Runs the work in the caller's transaction, or in a new one if there is none. */
export function inTransaction<T>(db: Db | Trx, work: (trx: Trx) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db as Trx) : db.transaction().execute(work);
}
