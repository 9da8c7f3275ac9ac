import { type Expression, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { inJsonList } from '../db/json-list.ts';
import { prepared } from '../db/prepared.ts';
import { freeNumber } from './free-number.ts';
import { numbered } from './urlname.ts';

/** A page's parent in queries and indexes: root pages have 0, since nulls are equal to nothing. */
export const parentKey = sql<number>`coalesce(parent_id, 0)`;

/**
 * A condition that is always true, and lets PostgreSQL use the index of positions: without it, it might find pages by their
 * parent there, and look through all of them for an urlname.
 */
export const usesPositionIndex = sql<boolean>`position <> 0`;

/** Returns the position of a parent's last child as a sub-query; null if it has none. */
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
 * Returns `urlname-2`, `urlname-3`, … by a number that no sibling has (see `freeNumber`). The caller holds the account's tree
 * (see `raiseContentVersion`), so it stays free until the transaction ends.
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
