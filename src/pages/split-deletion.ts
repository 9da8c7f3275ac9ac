import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { checkRows, maxRows } from '../db/long-changes.ts';
import { lookupJoin } from '../db/lookup-join.ts';
import { AppError } from '../errors.ts';
import { MAX_DEPTH } from './page.ts';
import { parentKey } from './positions.ts';
import { UNDO_RETENTION_MS } from './undos.ts';

/** A deletion in the trash. */
interface Deletion {
  /** The id of the deletion's undo. */
  undo: number;
  pages: number;
}

/**
 * Returns the deletion of a page and everything below it. If the page was deleted with a page above it, it first gets
 * its own deletion, so that it can be restored or purged alone. The caller has locked the account.
 * @throws AppError `not_found` if the page is not in the trash; ChangeTooLong
 */
export async function splitDeletion(trx: Trx, accountId: number, pageId: number): Promise<Deletion> {
  const page = await findDeletedPage(trx, accountId, pageId);
  if (!page) throw new AppError('not_found', 'The page is not in the trash.');
  const { undo, topId, pages, parent, position } = page;
  if (topId === pageId) return { undo, pages };
  const below = deletedSubtree(trx, accountId, { undo, pageId });
  const size = await countRows(trx, below);
  checkRows(trx, size);
  const { id: own } = await trx
    .insertInto('undos')
    .values({
      account_id: accountId,
      user_id: page.userId,
      kind: 'delete',
      payload: JSON.stringify({ pageId, pages: size }),
      created_at: page.at,
      used_at: null,
      version: page.version,
      page_id: pageId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await setUndo(trx, accountId, { from: undo, to: own, pages: below });
  await closeGap(trx, accountId, { undo, parent, position });
  await trx
    .updateTable('undos')
    .set({ payload: JSON.stringify({ pageId: topId, pages: pages - size }) })
    .where('account_id', '=', accountId)
    .where('id', '=', undo)
    .execute();
  return { undo: own, pages: size };
}

/** Finds a page in the trash, with its deletion; undefined if it is not in the trash, or was deleted for good. */
export async function findDeletedPage(trx: Trx, accountId: number, pageId: number) {
  const page = await trx
    .selectFrom('removed_pages')
    .innerJoin('undos', (join) =>
      join.onRef('undos.account_id', '=', 'removed_pages.account_id').onRef('undos.id', '=', 'removed_pages.undo_id'),
    )
    .select(['undo_id as undo', parentKey.as('parent'), 'position', 'user_id as userId', 'undos.created_at as at'])
    .select('undos.version')
    .select('payload')
    .where('removed_pages.account_id', '=', accountId)
    .where('removed_pages.id', '=', pageId)
    .where('undos.created_at', '>', Date.now() - UNDO_RETENTION_MS)
    .executeTakeFirst();
  if (!page) return undefined;
  const { payload, ...rest } = page;
  const { pageId: topId, pages }: { pageId: number; pages: number } = JSON.parse(payload);
  return { ...rest, topId, pages };
}

/** Builds a query for the ids of a deleted page and the pages below it that were deleted with it. */
function deletedSubtree(
  trx: Trx,
  accountId: number,
  { undo, pageId }: { undo: number; pageId: number },
): RawBuilder<unknown> {
  const isChild = sql`removed_pages.account_id = ${accountId} and removed_pages.undo_id = ${undo}
    and removed_pages.parent_id = subtree.id`;
  return sql`
    with recursive subtree (id, depth) as (
      select cast(${pageId} as bigint), 1
      union all
      select removed_pages.id, subtree.depth + 1
      from subtree ${lookupJoin(trx, 'removed_pages', isChild)}
      where subtree.depth <= ${sql.lit(MAX_DEPTH)}
    )
    select id from subtree`;
}

async function countRows(trx: Trx, ids: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    select count(*) as size from (${ids} limit ${maxRows(trx) + 1}) as measured`.execute(trx);
  return rows[0]!.size;
}

async function setUndo(
  trx: Trx,
  accountId: number,
  { from, to, pages }: { from: number; to: number; pages: RawBuilder<unknown> },
): Promise<void> {
  await sql`
    update removed_pages set undo_id = ${to}
    where account_id = ${accountId} and undo_id = ${from} and id in (${pages})`.execute(trx);
}

/** Moves the later siblings one place up, so that positions have no gaps when the rest is restored. */
async function closeGap(
  trx: Trx,
  accountId: number,
  { undo, parent, position }: { undo: number; parent: number; position: number },
): Promise<void> {
  const later = sql`
    account_id = ${accountId} and ${parentKey} = ${parent} and undo_id = ${undo} and position > ${position}`;
  checkRows(trx, await countRows(trx, sql`select id from removed_pages where ${later}`));
  await sql`update removed_pages set position = position - 1 where ${later}`.execute(trx);
}
