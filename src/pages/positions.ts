import { type Expression, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { MAX_DEPTH } from './page.ts';
import { numbered } from './urlname.ts';

/** A page's parent in queries and indexes: root pages have 0, since nulls are equal to nothing. */
export const parentKey = sql<number>`coalesce(parent_id, 0)`;

/** The position of a parent's last child, as a subquery; null where there is none. */
export function lastPosition(db: Db, accountId: Expression<number>, parent: Expression<number>) {
  return db
    .selectFrom('pages')
    .select('position')
    .where('account_id', '=', accountId)
    .where(parentKey, '=', parent)
    .orderBy('position', 'desc')
    .limit(1);
}

/**
 * A query with `ancestors`: the page itself at depth 1, its parent at 2, and so on to the root; none where the account
 * has no such page.
 */
export function withAncestors(db: Db, accountId: Expression<number>, id: Expression<number>) {
  return db.withRecursive('ancestors(parent_id, depth)', (cte) =>
    cte
      .selectFrom('pages')
      .select(['parent_id', sql<number>`1`.as('depth')])
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .unionAll((union) =>
        union
          .selectFrom('ancestors')
          .innerJoin('pages', (join) =>
            join.on('pages.account_id', '=', accountId).onRef('pages.id', '=', 'ancestors.parent_id'),
          )
          .select(['pages.parent_id', sql<number>`ancestors.depth + 1`.as('depth')])
          // A bound, so that even a cycle that must not exist cannot hang the service.
          .where('ancestors.depth', '<=', MAX_DEPTH),
      ),
  );
}

/**
 * The first of `urlname-2`, `urlname-3`, … that no sibling has; the caller holds the account's tree (see
 * `raiseContentVersion`), so it stays free until its transaction ends.
 *
 * Doubles the number until it is free, then halves the gap: a hundred thousand siblings of one name cost some thirty
 * look-ups. Where pages in between were deleted it may not be the lowest free number, but it is always a free one.
 */
export async function freeUrlname(trx: Trx, accountId: number, parent: number, urlname: string): Promise<string> {
  const isTaken = async (number: number) =>
    (await selectTaken(trx, { accountId, parent, urlname: numbered(urlname, number) })).length > 0;
  let taken = 1;
  let free = 2;
  while (await isTaken(free)) {
    taken = free;
    free *= 2;
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isTaken(middle)) taken = middle;
    else free = middle;
  }
  return numbered(urlname, free);
}

const selectTaken = prepared<{ accountId: number; parent: number; urlname: string }, { id: number }>((db, parameter) =>
  db
    .selectFrom('pages')
    .select('id')
    .where('account_id', '=', parameter('accountId'))
    .where(parentKey, '=', parameter('parent'))
    .where('urlname', '=', parameter('urlname')),
);
