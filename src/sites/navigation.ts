import { sql } from 'kysely';
import { dialectOf, type Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { idRows } from '../db/json-list.ts';
import { prepared } from '../db/prepared.ts';
import { isVisible } from '../pages/page-status.ts';
import { parentKey } from '../pages/positions.ts';
import type { SitePathNode } from './find-page.ts';

/** A visible page in a menu. */
export interface MenuPage {
  id: number;
  name: string;
  /** The URL path from the root; `/` for the home page. */
  path: string;
  /** The page's visible children, as far as they were read. */
  children: MenuPage[];
  /** True if the page has more visible children. */
  hasMore: boolean;
}

/** The visible root pages with their children, which all pages of a site share. The first one is the home page. */
export interface MainMenu {
  roots: MenuPage[];
  hasMore: boolean;
  /** The home page's urlname; undefined if no root page is visible. */
  home: string | undefined;
}

/** The most root pages, children of each, and children of ancestors of the current page that are listed. */
const MAX_ROOTS = 24;
const MAX_CHILDREN = 30;
const MAX_CHILDREN_OF_ANCESTORS = 50;

/** The most children in the whole main menu. Each page has the whole menu, so with many root pages the lists are shorter. */
const MAX_CHILDREN_IN_ALL = 240;

/** Reads the main menu. Reads no more rows than it returns, however many pages there are and however many are hidden. */
export async function readMainMenu(trx: Trx, accountId: number): Promise<MainMenu> {
  const rows = await childrenOf(trx, accountId, [0], MAX_ROOTS);
  const [roots, hasMore] = cut(rows, MAX_ROOTS);
  const menu = { roots: roots.map((row) => menuPage(row, '')), hasMore, home: roots[0]?.urlname };
  if (menu.roots[0]) menu.roots[0].path = '/';
  const ids = roots.map(({ id }) => id);
  const most = Math.min(MAX_CHILDREN, Math.floor(MAX_CHILDREN_IN_ALL / ids.length));
  const children = ids.length > 0 ? await childrenOf(trx, accountId, ids, most) : [];
  for (const [index, root] of menu.roots.entries()) {
    fill(root, `/${roots[index]!.urlname}`, children, most);
  }
  return menu;
}

/** Returns the first visible root page; undefined if there is none. */
export async function findHomePage(trx: Trx, accountId: number): Promise<{ id: number; name: string } | undefined> {
  const [home] = await childrenOf(trx, accountId, [0], 0);
  return home;
}

/**
 * Returns the menu for one page: the main menu with the page's ancestors, and with the children of these and of the page
 * itself. Hidden and unpublished pages and their descendants are left out. `menu` is not changed.
 */
export async function readMenu(
  trx: Trx,
  accountId: number,
  menu: MainMenu,
  pathNodes: readonly SitePathNode[],
): Promise<MainMenu> {
  const hidden = pathNodes.findIndex(({ isHidden }) => isHidden === 1);
  const visible = hidden === -1 ? pathNodes : pathNodes.slice(0, hidden);
  if (visible.length === 0) return menu;
  const ids = visible.map(({ id }) => id);
  const rows = await childrenOf(trx, accountId, ids, MAX_CHILDREN_OF_ANCESTORS);

  const roots = [...menu.roots];
  let level = roots;
  let parentPath = '';
  for (const step of visible) {
    const row = { ...step, parent: 0 };
    let index = level.findIndex(({ id }) => id === step.id);
    // An ancestor beyond the listed pages is added.
    if (index === -1) index = level.push(menuPage(row, parentPath)) - 1;
    const page: MenuPage = { ...level[index]!, children: [], hasMore: false };
    level[index] = page;
    parentPath = `${parentPath}/${step.urlname}`;
    fill(page, parentPath, rows, MAX_CHILDREN_OF_ANCESTORS);
    level = page.children;
  }
  return { ...menu, roots };
}

interface Row {
  id: number;
  parent: number;
  name: string;
  urlname: string;
}

function menuPage({ id, name, urlname }: Omit<Row, 'parent'>, parentPath: string): MenuPage {
  return { id, name, path: `${parentPath}/${urlname}`, children: [], hasMore: false };
}

function fill(page: MenuPage, path: string, rows: readonly Row[], most: number): void {
  const own = rows.filter(({ parent }) => parent === page.id);
  const [children, hasMore] = cut(own, most);
  page.children = children.map((row) => menuPage(row, path));
  page.hasMore = hasMore;
}

function cut<T>(rows: readonly T[], most: number): [T[], boolean] {
  return [rows.slice(0, most), rows.length > most];
}

/** Returns the first `most` visible children of each parent in order, and one more if there are more. */
function childrenOf(trx: Trx, accountId: number, parents: readonly number[], most: number): Promise<Row[]> {
  const list = JSON.stringify(parents);
  return dialectOf(trx) === 'postgres'
    ? selectOnPostgres(trx, { accountId, parents: list, limit: most + 1 })
    : selectOnSqlite(trx, { accountId, parents: list, most });
}

/** A limit within `lateral` makes PostgreSQL read each parent's children by the index, and no other rows. */
const selectOnPostgres = prepared<{ accountId: number; parents: string; limit: number }, Row>((db, parameter) => {
  const compiled = sql<Row>`
      select child.id, listed.id as parent, child.name, child.urlname
      from ${idRows(db, parameter('parents'))}
      cross join lateral (
        select id, name, urlname, position from pages
        where account_id = ${parameter('accountId')} and ${parentKey} = listed.id and ${isVisible}
        order by position
        limit ${limitInIndexOrder(parameter('limit'))}
      ) as child
      order by listed.id, child.position`;
  return { compile: () => compiled.compile(db) };
});

/** SQLite has no `lateral`, so the position of each parent's last wanted child bounds the rows that are read. */
const selectOnSqlite = prepared<{ accountId: number; parents: string; most: number }, Row>((db, parameter) => {
  const account = parameter('accountId');
  const compiled = sql<Row>`
    select pages.id, listed.id as parent, pages.name, pages.urlname
    from ${idRows(db, parameter('parents'))}
    cross join pages
    where pages.account_id = ${account} and coalesce(pages.parent_id, 0) = listed.id and ${isVisible}
      and pages.position <= coalesce((
        select last.position from pages as last
        where last.account_id = ${account} and coalesce(last.parent_id, 0) = listed.id and ${isVisible}
        order by last.position
        limit 1 offset ${parameter('most')}
      ), 9007199254740991)
    order by listed.id, pages.position`;
  return { compile: () => compiled.compile(db) };
});
