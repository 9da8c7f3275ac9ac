import type { Db, Trx } from './database.ts';

/** Runs `read` on one consistent view of the database. It changes nothing and blocks nobody. */
export function snapshot<T>(db: Db, read: (trx: Trx) => Promise<T>): Promise<T> {
  return db.transaction().setAccessMode('read only').setIsolationLevel('repeatable read').execute(read);
}
