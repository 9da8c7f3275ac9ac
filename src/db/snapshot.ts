import type { Db, Trx } from './database.ts';

/** One consistent view of the database, however many queries it takes; changes nothing and holds up nobody. */
export function snapshot<T>(db: Db, read: (trx: Trx) => Promise<T>): Promise<T> {
  return db.transaction().setAccessMode('read only').setIsolationLevel('repeatable read').execute(read);
}
