import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { insertOnPostgres } from './insert-pages-postgres.ts';
import { insertOnSqlite } from './insert-pages-sqlite.ts';
import type { PageToInsert } from './page-to-insert.ts';

/**
 * Inserts pages of any number of accounts, each after its last sibling and with its audit event, and raises the accounts'
 * versions. Returns the pages' ids. Pages that break a rule, or whose key is no longer active, are left out. The version of an
 * account without a new page stays, since everything cached for it remains valid. On PostgreSQL, an id is null if another
 * transaction has locked or changed the account, which is impossible if the caller holds its lock.
 */
export function insertPages(db: Db | Trx, pages: readonly PageToInsert[]): Promise<Map<PageToInsert, number | null>> {
  return dialectOf(db) === 'postgres' ? insertOnPostgres(db, pages) : insertOnSqlite(db as Trx, pages);
}
