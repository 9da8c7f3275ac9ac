import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { checkRows, maxRows } from '../db/long-changes.ts';
import { lookupJoin } from '../db/lookup-join.ts';
import { notFound } from '../errors.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { checkPlanLimit } from '../tenancy/plan-limits.ts';
import { pageColumns, pagesOfUndo } from './delete-page.ts';
import { numberedName } from './numbered-name.ts';
import { MAX_DEPTH } from './page.ts';
import { parentKey } from './positions.ts';
import { queueForSearch } from './search-index.ts';
import { countChildren, shiftSiblings, uniqueUrlname } from './siblings.ts';
import { pathFromRoot } from './subtree.ts';

/** The differences between restored pages and their state before the deletion. */
export interface RestoredPages {
  /** True if the page is below another parent, or at the root: its parent no longer exists, or is too deep now. */
  isElsewhere: boolean;
  /** True if another page has its urlname, so that it got a number. */
  hasNewUrlname: boolean;
  /** How many pages got a number in their names, because other pages have these names now. */
  renamed: number;
}

/**
 * Restores deleted pages with their ids at their former place, or as near as possible. Pages whose names or urlnames are taken
 * get numbers. A page whose parent is gone becomes the last child of the nearest page above it that exists.
 * @throws AppError `not_found` if the pages have been purged; ChangeTooLong, LimitReached
 */
export async function restoreDeletedPages(
  trx: Trx,
  accountId: number,
  { undo, pageId }: { undo: number; pageId: number },
): Promise<RestoredPages> {
  const { version } = await raiseContentVersion(trx, accountId, Date.now());
  const top = await trx
    .selectFrom('removed_pages')
    .select([parentKey.as('parent'), 'position', 'urlname'])
    .where('account_id', '=', accountId)
    .where('id', '=', pageId)
    .where('undo_id', '=', undo)
    .executeTakeFirst();
  if (!top) throw notFound('The deletion');
  const { rows } = await sql<{ size: number }>`
    select count(*) as size from (${pagesOfUndo(accountId, undo)} limit ${maxRows(trx) + 1}) as measured`.execute(trx);
  checkRows(trx, rows[0]!.size);
  await checkPlanLimit(trx, accountId, 'pages', rows[0]!.size);

  const nearest = await nearestParent(trx, accountId, top.parent);
  const parent = (await hasRoom(trx, accountId, { parent: nearest, pageId, undo })) ? nearest : 0;
  const last = await countChildren(trx, accountId, parent);
  const isElsewhere = parent !== top.parent;
  const wanted = isElsewhere ? last + 1 : await reservePosition(trx, accountId, { undo, ...top });
  const position = Math.min(wanted, last + 1);
  await shiftSiblings(trx, accountId, parent, { from: position, to: last, by: 1 });
  const urlname = await uniqueUrlname(trx, accountId, parent, top.urlname);
  await trx
    .updateTable('removed_pages')
    .set({ parent_id: parent === 0 ? null : parent, position, urlname })
    .where('account_id', '=', accountId)
    .where('id', '=', pageId)
    .execute();
  const renamed = await renameTaken(trx, accountId, undo);

  // The new version makes all of them count as changed pages.
  await sql`
    insert into pages (version, has_changed, ${pageColumns})
    select cast(${version} as bigint), 1, ${pageColumns} from removed_pages
    where account_id = ${accountId} and id in (${pagesOfUndo(accountId, undo)})`.execute(trx);
  await queueForSearch(trx, accountId, { version, ids: pagesOfUndo(accountId, undo) });
  await trx.deleteFrom('removed_pages').where('account_id', '=', accountId).where('undo_id', '=', undo).execute();
  return { isElsewhere, hasNewUrlname: urlname !== top.urlname, renamed };
}

/** Returns the former parent, or the nearest page above it that exists; 0 for the root. */
async function nearestParent(trx: Trx, accountId: number, parent: number): Promise<number> {
  const isAbove = sql`removed_pages.account_id = ${accountId} and removed_pages.id = above.id`;
  const { rows } = await sql<{ id: number }>`
    with recursive above (id, steps) as (
      select cast(${parent} as bigint), 1
      union all
      select removed_pages.parent_id, above.steps + 1 from above ${lookupJoin(trx, 'removed_pages', isAbove)}
      where above.steps <= ${sql.lit(MAX_DEPTH)}
    )
    select above.id from above ${lookupJoin(trx, 'pages', sql`pages.account_id = ${accountId} and pages.id = above.id`)}
    order by steps limit 1`.execute(trx);
  return rows[0]?.id ?? 0;
}

/**
 * Returns the restored page's position among the present siblings: subtracts the siblings that stood before it and
 * were deleted later. Deleted siblings that stood after it and were deleted later move one place down.
 *
 * Example: of the siblings A, B and C, B was deleted at position 2, then A at position 1, then C, by then also at position 1.
 * B is restored at position 1, since A is no longer before it. C gets position 2, so that it is restored after B.
 */
async function reservePosition(
  trx: Trx,
  accountId: number,
  { undo, parent, position }: { undo: number; parent: number; position: number },
): Promise<number> {
  const later = await trx
    .selectFrom('removed_pages')
    .select(['id', 'position'])
    .where('account_id', '=', accountId)
    .where('undo_id', '>', undo)
    .where(parentKey, '=', parent)
    .orderBy('undo_id')
    .execute();
  const behind: number[] = [];
  let adjusted = position;
  for (const other of later) {
    if (other.position < adjusted) adjusted -= 1;
    else behind.push(other.id);
  }
  if (behind.length === 0) return adjusted;
  await trx
    .updateTable('removed_pages')
    .set({ position: sql<number>`position + 1` })
    .where('account_id', '=', accountId)
    .where('undo_id', '>', undo)
    .where('id', 'in', behind)
    .execute();
  return adjusted;
}

/** True if the pages, put below this parent, stay within the maximum depth. */
async function hasRoom(
  trx: Trx,
  accountId: number,
  { parent, pageId, undo }: { parent: number; pageId: number; undo: number },
): Promise<boolean> {
  if (parent === 0) return true;
  const pathNodes = await pathFromRoot(trx, accountId, parent);
  const { rows } = await sql<{ height: number }>`
    with recursive levels (id, depth) as (
      select cast(${pageId} as bigint), 1
      union all
      select removed_pages.id, levels.depth + 1
      from levels cross join removed_pages
      where removed_pages.account_id = ${accountId} and removed_pages.undo_id = ${undo} and removed_pages.parent_id = levels.id
    )
    select max(depth) as height from levels`.execute(trx);
  return pathNodes.length + rows[0]!.height <= MAX_DEPTH;
}

async function renameTaken(trx: Trx, accountId: number, undo: number): Promise<number> {
  const taken = await trx
    .selectFrom('removed_pages')
    .innerJoin('pages', (join) =>
      join.onRef('pages.account_id', '=', 'removed_pages.account_id').onRef('pages.name', '=', 'removed_pages.name'),
    )
    .select(['removed_pages.id', 'removed_pages.name'])
    .where('removed_pages.account_id', '=', accountId)
    .where('removed_pages.undo_id', '=', undo)
    .execute();
  for (const { id, name } of taken) {
    await trx
      .updateTable('removed_pages')
      .set({ name: await numberedName(trx, accountId, name) })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
  }
  return taken.length;
}
