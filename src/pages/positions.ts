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

/** The urlname, with a number where a child of this parent has it; the caller holds the account's tree. */
export async function freeAmong(trx: Trx, accountId: number, parent: number, urlname: string): Promise<string> {
  const taken = await selectTaken(trx, { accountId, parent, urlname });
  return taken.length > 0 ? freeUrlname(trx, accountId, parent, urlname) : urlname;
}

/** The position of a parent's last child; 0 where it has none. */
export async function countChildren(trx: Trx, accountId: number, parent: number): Promise<number> {
  const [last] = await selectLastPosition(trx, { accountId, parent });
  return last?.position ?? 0;
}

const selectLastPosition = prepared<{ accountId: number; parent: number }, { position: number }>((db, parameter) =>
  lastPosition(db, parameter('accountId'), parameter('parent')),
);

/**
 * Moves a parent's children at `from` to `to`, both included, one place on (`by` 1) or back (-1). The place that the
 * first of them takes must be free. Positions are unique row by row, so all of them are negated before any is set.
 */
export async function shiftSiblings(
  trx: Trx,
  accountId: number,
  parent: number,
  { from, to, by }: { from: number; to: number; by: 1 | -1 },
): Promise<void> {
  if (from > to) return;
  const siblings = trx.updateTable('pages').where('account_id', '=', accountId).where(parentKey, '=', parent);
  await siblings
    .set({ position: sql<number>`-position` })
    .where('position', '>=', from)
    .where('position', '<=', to)
    .execute();
  await siblings
    .set({ position: by === 1 ? sql<number>`1 - position` : sql<number>`-1 - position` })
    .where('position', '<', 0)
    .execute();
}
