import { type SqlBool, sql } from 'kysely';
import { shownName } from '../audit/shown-name.ts';
import type { Trx } from '../db/database.ts';
import { latestFirst, limitInIndexOrder } from '../db/index-order.ts';
import { inJsonList } from '../db/json-list.ts';
import { findDeletedPage } from './split-deletion.ts';
import { UNDO_RETENTION_MS } from './undos.ts';

/** Pages in the trash that were deleted together. */
export interface ListedDeletion {
  /** The page that was deleted with all pages below it. */
  pageId: number;
  /** The id of the deletion's undo, by which the list is ordered. */
  undo: number;
  name: string;
  urlname: string;
  /** The number of deleted pages, including the page itself. */
  pages: number;
  /** The parent before the deletion; null for the root. `name` is null if the parent was deleted for good. */
  parent: { name: string | null; isDeleted: boolean } | null;
  deletedAt: number;
  deletedBy: string;
  /** When the pages will be deleted for good. */
  expiresAt: number;
}

/** Matches rows of `undos` that stand for pages in the trash, using the index of deletions. Does not check their age. */
export const isInTrash = sql<SqlBool>`(kind = 'delete' and used_at is null and undos.created_at > 0)`;

/** The most deletions that are counted. */
const MAX_COUNTED = 1000;

/** Returns the deletion that a page in the trash belongs to, in a list; an empty list if the page is not in the trash. */
export async function listPageDeletion(trx: Trx, accountId: number, pageId: number): Promise<Deletions> {
  const page = await findDeletedPage(trx, accountId, pageId);
  if (!page) return { deletions: [], hasMore: false };
  const { deletions } = await listDeletions(trx, accountId, { before: page.undo + 1, limit: 1 });
  return { deletions: deletions.filter(({ undo }) => undo === page.undo), hasMore: false };
}

interface Deletions {
  deletions: ListedDeletion[];
  hasMore: boolean;
}

/** Returns the account's deletions, the latest first; with `before`, only those before the one with this undo. */
export async function listDeletions(
  trx: Trx,
  accountId: number,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<Deletions> {
  const latest = latestFirst(trx, 'undos', accountId, before);
  const rows = await trx
    .selectFrom('undos')
    .innerJoin('users', (join) =>
      join.onRef('users.account_id', '=', 'undos.account_id').onRef('users.id', '=', 'undos.user_id'),
    )
    .select(['undos.id as undo', 'payload', 'undos.created_at as deletedAt', shownName('users').as('deletedBy')])
    .where(latest.where)
    .where(isInTrash)
    .where('undos.created_at', '>', Date.now() - UNDO_RETENTION_MS)
    .orderBy(latest.account, 'desc')
    .orderBy(latest.id, 'desc')
    .limit(limitInIndexOrder(limit + 1))
    .execute();
  return { deletions: await describeDeletions(trx, accountId, rows.slice(0, limit)), hasMore: rows.length > limit };
}

/** Returns the listed form of the deletions in these rows of `undos`, in the same order. */
export async function describeDeletions(
  trx: Trx,
  accountId: number,
  rows: readonly { undo: number; payload: string; deletedAt: number; deletedBy: string }[],
): Promise<ListedDeletion[]> {
  const listed = rows.map(({ payload, ...row }) => {
    const { pageId, pages }: { pageId: number; pages: number } = JSON.parse(payload);
    return { ...row, pageId, pages };
  });
  const tops = await readDeleted(
    trx,
    accountId,
    listed.map(({ pageId }) => pageId),
  );
  const parentIds = [...tops.values()].flatMap(({ parentId }) => parentId ?? []);
  const parents = await readParents(trx, accountId, parentIds);
  return listed.flatMap(({ pageId, ...row }): ListedDeletion[] => {
    const top = tops.get(pageId);
    if (!top) return [];
    const { name, urlname, parentId } = top;
    const parent = parentId === null ? null : (parents.get(parentId) ?? { name: null, isDeleted: true });
    return [{ ...row, pageId, name, urlname, parent, expiresAt: row.deletedAt + UNDO_RETENTION_MS }];
  });
}

/** Counts the account's deletions, up to 1,000. */
export async function countDeletions(trx: Trx, accountId: number): Promise<{ count: number; isExact: boolean }> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 from undos where account_id = ${accountId} and ${isInTrash} limit ${MAX_COUNTED + 1}
    ) as counted`.execute(trx);
  const { count } = rows[0]!;
  return { count: Math.min(count, MAX_COUNTED), isExact: count <= MAX_COUNTED };
}

async function readDeleted(trx: Trx, accountId: number, ids: readonly number[]) {
  const rows = await trx
    .selectFrom('removed_pages')
    .select(['id', 'name', 'urlname', 'parent_id as parentId'])
    .where('account_id', '=', accountId)
    .where(inJsonList(trx, 'id', sql.val(JSON.stringify(ids)), 'bigint'))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the names of pages, whether they are in the trash or not. */
async function readParents(trx: Trx, accountId: number, ids: readonly number[]) {
  const present = await trx
    .selectFrom('pages')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .where(inJsonList(trx, 'id', sql.val(JSON.stringify(ids)), 'bigint'))
    .execute();
  const deleted = await readDeleted(trx, accountId, ids);
  const parents = new Map<number, { name: string; isDeleted: boolean }>();
  for (const { id, name } of deleted.values()) parents.set(id, { name, isDeleted: true });
  for (const { id, name } of present) parents.set(id, { name, isDeleted: false });
  return parents;
}
