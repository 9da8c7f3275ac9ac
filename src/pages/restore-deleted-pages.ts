import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { checkRows, maxRows } from '../db/long-changes.ts';
import { notFound } from '../errors.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { pageColumns, pagesOfUndo } from './delete-page.ts';
import { numberedName } from './numbered-name.ts';
import { MAX_DEPTH } from './page.ts';
import { parentKey } from './positions.ts';
import { queueForSearch } from './search-index.ts';
import { countChildren, shiftSiblings, uniqueUrlname } from './siblings.ts';
import { pathFromRoot } from './subtree.ts';

/**
 * Restores deleted pages with their ids at their former place, or as near as possible: taken names and urlnames get
 * numbers, and without its parent a page comes back last at the root.
 * @throws AppError `not_found` when the pages are not kept any more; ChangeTooLong
 */
export async function restoreDeletedPages(
  trx: Trx,
  accountId: number,
  { undo, pageId }: { undo: number; pageId: number },
): Promise<void> {
  const { version } = await raiseContentVersion(trx, accountId, Date.now());
  const top = await trx
    .selectFrom('removed_pages')
    .select([parentKey.as('parent'), 'position', 'urlname'])
    .where('account_id', '=', accountId)
    .where('id', '=', pageId)
    .where('undo_id', '=', undo)
    .executeTakeFirst();
  if (!top) throw notFound('What was deleted');
  const { rows } = await sql<{ size: number }>`
    select count(*) as size from (${pagesOfUndo(accountId, undo)} limit ${maxRows(trx) + 1}) as measured`.execute(trx);
  checkRows(trx, rows[0]!.size);
  const removed = () => trx.updateTable('removed_pages').where('account_id', '=', accountId);

  const parent = (await hasRoom(trx, accountId, { parent: top.parent, undo })) ? top.parent : 0;
  const last = await countChildren(trx, accountId, parent);
  const isParentKept = parent === top.parent;
  // Without its former parent the page goes last at the root.
  const wanted = isParentKept ? await positionBeside(trx, accountId, { undo, ...top }) : last + 1;
  const position = Math.min(wanted, last + 1);
  await shiftSiblings(trx, accountId, parent, { from: position, to: last, by: 1 });
  const urlname = await uniqueUrlname(trx, accountId, parent, top.urlname);
  await removed()
    .set({ parent_id: parent === 0 ? null : parent, position, urlname, version })
    .where('id', '=', pageId)
    .execute();
  await renameTaken(trx, accountId, { undo, version });

  await sql`
    insert into pages (${pageColumns})
    select ${pageColumns} from removed_pages
    where account_id = ${accountId} and id in (${pagesOfUndo(accountId, undo)})`.execute(trx);
  await queueForSearch(trx, accountId, { version, ids: pagesOfUndo(accountId, undo) });
  await trx.deleteFrom('removed_pages').where('account_id', '=', accountId).where('undo_id', '=', undo).execute();
}

/**
 * Returns the position among the present siblings: subtracts siblings that were deleted later and stood before it, and
 * pushes later-deleted siblings behind it one place down.
 */
async function positionBeside(
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
  let here = position;
  for (const other of later) {
    if (other.position < here) here -= 1;
    else behind.push(other.id);
  }
  if (behind.length === 0) return here;
  await trx
    .updateTable('removed_pages')
    .set({ position: sql<number>`position + 1` })
    .where('account_id', '=', accountId)
    .where('undo_id', '>', undo)
    .where('id', 'in', behind)
    .execute();
  return here;
}

/** Tells whether the parent still exists, and is not so deep that the pages would exceed the maximum depth. */
async function hasRoom(
  trx: Trx,
  accountId: number,
  { parent, undo }: { parent: number; undo: number },
): Promise<boolean> {
  if (parent === 0) return true;
  const ancestorPath = await pathFromRoot(trx, accountId, parent);
  if (ancestorPath.length === 0) return false;
  const { rows } = await sql<{ height: number }>`
    with recursive levels (id, depth) as (
      select id, 1 from removed_pages where account_id = ${accountId} and undo_id = ${undo} and parent_id = ${parent}
      union all
      select removed_pages.id, levels.depth + 1
      from levels cross join removed_pages
      where removed_pages.account_id = ${accountId} and removed_pages.undo_id = ${undo} and removed_pages.parent_id = levels.id
    )
    select max(depth) as height from levels`.execute(trx);
  return ancestorPath.length + rows[0]!.height <= MAX_DEPTH;
}

async function renameTaken(
  trx: Trx,
  accountId: number,
  { undo, version }: { undo: number; version: number },
): Promise<void> {
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
      .set({ name: await numberedName(trx, accountId, name), version })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
  }
}
