import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { AppError } from '../errors.ts';
import { parentKey } from './positions.ts';
import { findDeletedPage } from './split-deletion.ts';

/** A page in the trash that was deleted with its parent. */
interface DeletedChild {
  id: number;
  name: string;
  position: number;
  hasChildren: boolean;
}

/**
 * Returns the children that were deleted with a page, in order, at positions after `after`.
 * @throws AppError `not_found` if the page is not in the trash
 */
export async function listDeletedChildren(
  trx: Trx,
  accountId: number,
  { id, after, limit }: { id: number; after: number; limit: number },
): Promise<{ pages: DeletedChild[]; hasMore: boolean }> {
  const page = await findDeletedPage(trx, accountId, id);
  if (!page) throw new AppError('not_found', 'The page is not in the trash.');
  const { undo } = page;
  const rows = await trx
    .selectFrom('removed_pages')
    .select(['id', 'name', 'position'])
    .select(
      sql<number>`case when exists (
        select 1 from removed_pages as child
        where child.account_id = ${accountId} and coalesce(child.parent_id, 0) = +removed_pages.id and child.undo_id = ${undo}
      ) then 1 else 0 end`.as('hasChildren'),
    )
    .where('account_id', '=', accountId)
    .where(parentKey, '=', id)
    .where('undo_id', '=', undo)
    .where('position', '>', after)
    .orderBy('position')
    .limit(limitInIndexOrder(limit + 1))
    .execute();
  const pages = rows.slice(0, limit).map((row) => ({ ...row, hasChildren: row.hasChildren === 1 }));
  return { pages, hasMore: rows.length > limit };
}
