import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { idRows } from '../db/json-list.ts';
import { lookupJoin } from '../db/lookup-join.ts';

/**
 * Selects the listed pages of the account as the table `pages`, looking each up by its id whatever the planner estimates.
 */
export function pagesById(db: Db | Trx, accountId: number, ids: readonly number[]): RawBuilder<unknown> {
  const condition = sql`pages.account_id = ${accountId} and pages.id = listed.id`;
  return sql`${idRows(db, sql.val(JSON.stringify(ids)))} ${lookupJoin(db, 'pages', condition)}`;
}
