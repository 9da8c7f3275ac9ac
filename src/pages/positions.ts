import { type Expression, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { inJsonList } from '../db/json-list.ts';
import { prepared } from '../db/prepared.ts';
import { freeNumber } from './free-number.ts';
import { numbered } from './urlname.ts';

/** SQL for a page's parent in queries and indexes: 0 for root pages, since null equals nothing. */
export const parentKey = sql<number>`coalesce(parent_id, 0)`;

/**
 * A condition that is always true. The index of positions has it, so that PostgreSQL uses that index only for queries with this
 * condition. For a urlname, PostgreSQL might otherwise find all children of the parent there and look through them.
 */
export const usesPositionIndex = sql<boolean>`position <> 0`;

/** Returns a sub-query for the position of a parent's last child; null if it has none. */
export function lastPosition(db: Db, accountId: Expression<number>, parent: Expression<number>) {
  return db
    .selectFrom('pages')
    .select('position')
    .where('account_id', '=', accountId)
    .where(parentKey, '=', parent)
    .where(usesPositionIndex)
    .orderBy('position', 'desc')
    .limit(1);
}

/**
 * Returns `urlname-2`, `urlname-3`, … with a number that no sibling has (see `freeNumber`). The caller holds the account's lock
 * (see `raiseContentVersion`), so the urlname stays free until the transaction ends.
 */
export async function numberedUrlname(trx: Trx, accountId: number, parent: number, urlname: string): Promise<string> {
  const number = await freeNumber(async (numbers) => {
    const urlnames = JSON.stringify(numbers.map((candidate) => numbered(urlname, candidate)));
    const rows = await selectUrlnames(trx, { accountId, parent, urlnames });
    return new Set(rows.map((row) => Number(row.urlname.slice(urlname.length + 1))));
  });
  return numbered(urlname, number);
}

const selectUrlnames = prepared<{ accountId: number; parent: number; urlnames: string }, { urlname: string }>(
  (db, parameter) =>
    db
      .selectFrom('pages')
      .select('urlname')
      .where('account_id', '=', parameter('accountId'))
      .where(parentKey, '=', parameter('parent'))
      .where(inJsonList(db, 'urlname', parameter('urlnames'))),
);
