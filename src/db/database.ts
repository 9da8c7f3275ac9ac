import { type Kysely, PostgresAdapter, type Transaction } from 'kysely';
import type { Schema } from './schema.ts';

export type Dialect = 'sqlite' | 'postgres';

/**
 * The typed way to the database. Outside a transaction it only reads; every change is made in
 * `db.transaction().execute(async (trx) => …)`, but for one of a single statement, which is its own (`create-with-others.ts`).
 */
export type Db = Kysely<Schema>;
export type Trx = Transaction<Schema>;

/** Returns which of the two databases this is: for migrations, backups and the few statements that must differ. */
export function dialectOf(db: Db | Kysely<unknown>): Dialect {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/** Does the work in the transaction that the caller is in, or else in one of its own. */
export function inTransaction<T>(db: Db | Trx, work: (trx: Trx) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db as Trx) : db.transaction().execute(work);
}
