import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { idRows } from '../db/json-list.ts';
import { lookupJoin } from '../db/lookup-join.ts';

/** The table `pages` with those of the account's pages alone: each is looked up, whatever a database believes of their number. */
export function pagesById(db: Db | Trx, accountId: number, ids: readonly number[]): RawBuilder<unknown> {
  const condition = sql`pages.account_id = ${accountId} and pages.id = listed.id`;
  return sql`${idRows(db, sql.val(JSON.stringify(ids)))} ${lookupJoin(db, 'pages', condition)}`;
}
