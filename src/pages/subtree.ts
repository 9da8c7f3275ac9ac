import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { idRows } from '../db/json-list.ts';
import { checkRows, maxRows } from '../db/long-changes.ts';
import { lookupJoin } from '../db/lookup-join.ts';
import { prepared } from '../db/prepared.ts';
import type { PageStatus } from '../db/schema.ts';
import { MAX_DEPTH } from './page.ts';
import { bytesIn } from './page-bytes.ts';
import { isVisible } from './page-status.ts';

/** A page on the path from the root to another page. */
export interface PathNode {
  id: number;
  name: string;
  urlname: string;
  isHidden: boolean;
  isPublished: boolean;
}

/** Returns the pages from the root page down to the page itself; none if the account has no such page. */
export async function pathFromRoot(trx: Trx, accountId: number, id: number): Promise<PathNode[]> {
  const { rows } = await sql<Omit<PathNode, 'isHidden' | 'isPublished'> & { isHidden: number; status: PageStatus }>`
    with recursive path_nodes (id, parent_id, name, urlname, is_hidden, status, steps) as (
      select id, parent_id, name, urlname, is_hidden, status, 1 from pages where account_id = ${accountId} and id = ${id}
      union all
      select pages.id, pages.parent_id, pages.name, pages.urlname, pages.is_hidden, pages.status, path_nodes.steps + 1
      from path_nodes ${lookupJoin(trx, 'pages', sql`pages.account_id = ${accountId} and pages.id = path_nodes.parent_id`)}
      where path_nodes.steps <= ${sql.lit(MAX_DEPTH)}
    )
    select id, name, urlname, is_hidden as "isHidden", status from path_nodes order by steps desc`.execute(trx);
  return rows.map(({ status, ...step }) => ({
    ...step,
    isHidden: step.isHidden === 1,
    isPublished: status === 'published',
  }));
}

/** Returns the URL path of the last page; empty for the root itself. */
export function pathOf(pathNodes: readonly PathNode[]): string {
  return pathNodes.map(({ urlname }) => `/${urlname}`).join('');
}

/**
 * Returns the URL paths of pages by their ids; with `onlyVisible`, only of visible pages whose ancestors are all visible.
 */
export async function pathsOf(
  trx: Trx,
  accountId: number,
  ids: readonly number[],
  { onlyVisible = false } = {},
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const select = onlyVisible ? selectVisiblePaths : selectPaths;
  const rows = await select(trx, { accountId, ids: JSON.stringify(ids) });
  return new Map(rows.map(({ id, path }) => [id, path]));
}

const pathSelection = (condition: RawBuilder<unknown>) =>
  prepared<{ accountId: number; ids: string }, { id: number; path: string }>((db, parameter) => {
    const compiled = sql<{ id: number; path: string }>`
      with recursive ${pathsCte(db, parameter('accountId'), parameter('ids'), condition)}
      select id, path from partial_paths where parent_id is null`;
    return { compile: () => compiled.compile(db) };
  });

const selectPaths = pathSelection(sql`true`);
const selectVisiblePaths = pathSelection(isVisible);

/**
 * Returns a common table expression `partial_paths`, which climbs from each page to the root. Rows whose `parent_id` is null
 * have the page's whole URL path. `ids` is a JSON array. Only pages that meet the condition, as do all of their ancestors,
 * get such a row.
 */
export function pathsCte(
  db: Db | Trx,
  accountId: Expression<number>,
  ids: Expression<string>,
  condition: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  return sql`partial_paths (id, parent_id, path, steps) as (
    select pages.id, pages.parent_id, '/' || pages.urlname, 1
    from ${idRows(db, ids)}
    ${lookupJoin(db, 'pages', sql`pages.account_id = ${accountId} and pages.id = listed.id and ${condition}`)}
    union all
    select partial_paths.id, pages.parent_id, '/' || pages.urlname || partial_paths.path, partial_paths.steps + 1
    from partial_paths
    ${lookupJoin(db, 'pages', sql`pages.account_id = ${accountId} and pages.id = partial_paths.parent_id and ${condition}`)}
    where partial_paths.steps <= ${sql.lit(MAX_DEPTH)}
  )`;
}

/**
 * Returns the number of pages in the subtree, including the page, and its height in levels.
 * @throws ChangeTooLong for more pages than a change may write
 */
export async function measureSubtree(trx: Trx, accountId: number, id: number) {
  const { rows } = await sql<{ size: number; height: number }>`
    with recursive ${subtreeCte(trx, accountId, id)}
    select count(*) as size, coalesce(max(depth), 0) as height
    from (select depth from below limit ${maxRows(trx) + 1}) as measured`.execute(trx);
  const subtree = rows[0]!;
  checkRows(trx, subtree.size);
  return subtree;
}

/** Returns the bytes of the texts of the subtree's pages, counting no more pages than a change may write. */
export async function countSubtreeBytes(db: Db, accountId: number, { id }: { id: number }): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    with recursive ${subtreeCte(db, accountId, id)}
    select coalesce(sum(${bytesIn.pages}), 0) as bytes from pages
    where account_id = ${accountId} and id in (select id from below limit ${maxRows(db)})`.execute(db);
  return rows[0]!.bytes;
}

/**
 * Returns a common table expression `below`: the page (depth 1), its children (depth 2), and so on. With `parentPath`, each has
 * its URL path. Without paths, SQLite need not read the rows of the pages.
 */
export function subtreeCte(db: Db | Trx, accountId: number, id: number, parentPath?: string) {
  const segment = parentPath === undefined ? sql`''` : sql`'/' || pages.urlname`;
  return sql`below (id, path, depth) as (
      select id, cast(${parentPath ?? ''} as text) || ${segment}, 1
      from pages where account_id = ${accountId} and id = ${id}
      union all
      select pages.id, below.path || ${segment}, below.depth + 1
      from below ${lookupJoin(db, 'pages', sql`pages.account_id = ${accountId} and pages.parent_id = below.id`)}
      where below.depth <= ${sql.lit(MAX_DEPTH)}
    )`;
}
