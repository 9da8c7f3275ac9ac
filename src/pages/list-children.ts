import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { listDraftsEqualToPage } from './drafts.ts';
import { parentKey, usesPositionIndex } from './positions.ts';
import { countChildren } from './siblings.ts';

/** A page in the form in which the tree shows it. */
interface ChildPage {
  id: number;
  /** 0 for the root. */
  parentId: number;
  name: string;
  urlname: string;
  position: number;
  isHidden: boolean;
  isPublished: boolean;
  childCount: number;
  /** True if the user has a draft of the page with unpublished changes. */
  hasDraft: boolean;
  version: number;
}

interface ListChildrenInput {
  /** 0 for the root. */
  parent: number;
  /** Lists only children at positions after this one. */
  after: number;
  limit: number;
  /** The user whose drafts are considered. */
  userId: number;
}

/** Returns a part of a page's children in order, and the number of all; nothing if the account has no such page. */
export async function listChildren(
  trx: Trx,
  accountId: number,
  { parent, after, limit, userId }: ListChildrenInput,
): Promise<{ pages: ChildPage[]; total: number }> {
  const rows = await trx
    .selectFrom('pages')
    .select([
      'id',
      'name',
      'urlname',
      'position',
      'is_hidden as isHidden',
      'status',
      'version',
      // Positions have no gaps: the last child's is the number of children. Without `+`, SQLite would not use the index.
      sql<number>`coalesce((
        select child.position from pages as child
        where child.account_id = ${accountId} and coalesce(child.parent_id, 0) = +pages.id and child.position <> 0
        order by child.position desc limit 1
      ), 0)`.as('childCount'),
    ])
    .where('account_id', '=', accountId)
    .where(parentKey, '=', parent)
    .where('position', '>', after)
    .where(usesPositionIndex)
    .orderBy('position')
    .limit(limitInIndexOrder(limit))
    .execute();
  const total = await countChildren(trx, accountId, parent);
  if (rows.length === 0) return { pages: [], total };
  const ids = rows.map(({ id }) => id);
  const drafts = await trx
    .selectFrom('drafts')
    .select(['page_id as id', 'based_on as basedOn'])
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('page_id', 'in', ids)
    .execute();
  const versionOf = new Map(rows.map(({ id, version }) => [id, version]));
  // The page has changed since the draft was begun, and may now equal the draft.
  const older = drafts.filter(({ id, basedOn }) => basedOn !== versionOf.get(id)).map(({ id }) => id);
  const unchanged = older.length === 0 ? [] : await listDraftsEqualToPage(trx, accountId, { userId, ids: older });
  const withDraft = new Set(drafts.map(({ id }) => id).filter((id) => !unchanged.includes(id)));
  const pages = rows.map(({ status, ...row }) => ({
    ...row,
    parentId: parent,
    isHidden: row.isHidden === 1,
    isPublished: status === 'published',
    hasDraft: withDraft.has(row.id),
  }));
  return { pages, total };
}
