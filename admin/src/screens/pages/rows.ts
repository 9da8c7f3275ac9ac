import type { PageChildrenJson, TreePageJson } from '../../contract.ts';
import { type ParentId, ROOT } from '../../data/tree-data.ts';

export interface PageRow {
  readonly kind: 'page';
  readonly key: string;
  readonly page: TreePageJson;
  readonly parent: ParentId;
  /** The depth of the page in the tree, from 1. */
  readonly level: number;
  /** The number of children of the parent, including this page. */
  readonly siblings: number;
  readonly path: string;
  /** True if a page above it is hidden or not published, so that this page is in no navigation. */
  readonly isBelowHidden: boolean;
  readonly isOpen: boolean;
}

/** A placeholder for pages that have not been loaded, or for one that is being created. */
export interface GapRow {
  readonly kind: 'gap';
  readonly key: string;
  readonly parent: ParentId;
  readonly level: number;
  /** True if the row stands for further siblings after those that are loaded. */
  readonly isMore: boolean;
  /** The name of the page that is being created. */
  readonly name?: string;
}

export type Row = PageRow | GapRow;

/** Returns the rows of the tree, in the order on the screen. */
export function rowsOf(children: ReadonlyMap<ParentId, PageChildrenJson>, open: ReadonlySet<number>): Row[] {
  const rows: Row[] = [];
  const visit = (parent: ParentId, level: number, path: string, isBelowHidden: boolean) => {
    const list = children.get(parent);
    if (!list) {
      rows.push({ kind: 'gap', key: `gap-${parent}`, parent, level, isMore: false });
      return;
    }
    for (const page of list.pages) {
      if (page.id < 0) {
        rows.push({ kind: 'gap', key: `coming-${page.id}`, parent, level, isMore: false, name: page.name });
        continue;
      }
      const isOpen = open.has(page.id) && page.childCount > 0;
      const own = `${path}/${page.urlname}`;
      const place = { parent, level, siblings: list.total, path: own, isBelowHidden };
      rows.push({ kind: 'page', key: `page-${page.id}`, page, ...place, isOpen });
      if (isOpen) visit(page.id, level + 1, own, isBelowHidden || page.isHidden || !page.isPublished);
    }
    // A new key for each batch: a row loads once, when it comes into view, and may be in the same place as the one before.
    const key = `more-${parent}-${list.pages.length}`;
    if (list.pages.length < list.total) rows.push({ kind: 'gap', key, parent, level, isMore: true });
  };
  visit(ROOT, 1, '', false);
  return rows;
}

/** The destination of a page: its place among the children of the parent, counted from 1 without the page itself. */
export interface Place {
  readonly parent: ParentId;
  readonly position: number;
  /** Last among the siblings at the time of the move, since others may be added before. */
  readonly isLast?: true;
}

export type Direction = 'up' | 'down' | 'into' | 'out';

export interface TreeHandlers {
  select(id: number): void;
  setOpen(id: number, open: boolean): void;
  step(row: PageRow, direction: Direction): void;
  drop(row: PageRow, place: Place): void;
  rename(row: PageRow, name: string): void;
  startRename(id: number | undefined): void;
  edit(row: PageRow): void;
  remove(row: PageRow): void;
  loadMore(parent: number): Promise<void>;
}

/** The page whose name is being edited, with the text that was refused before. */
export interface Renaming {
  readonly id: number;
  readonly name?: string;
}

/** Returns the place one step in a direction, or undefined if there is none. */
export function stepFrom(rows: readonly Row[], row: PageRow, direction: Direction): Place | undefined {
  const { page, parent } = row;
  const pages = rows.filter((other): other is PageRow => other.kind === 'page');
  if (direction === 'up') return page.position > 1 ? { parent, position: page.position - 1 } : undefined;
  if (direction === 'down') return page.position < row.siblings ? { parent, position: page.position + 1 } : undefined;
  if (direction === 'into') {
    const above = pages.find((other) => other.parent === parent && other.page.position === page.position - 1);
    return above && { parent: above.page.id, position: above.page.childCount + 1, isLast: true };
  }
  const owner = pages.find((other) => other.page.id === parent);
  return owner && { parent: owner.parent, position: owner.page.position + 1 };
}

/** Returns true if the row is the page or below it, where the page cannot be moved. */
export function isWithin(rows: readonly Row[], id: number, row: PageRow): boolean {
  let current: PageRow | undefined = row;
  while (current) {
    if (current.page.id === id) return true;
    const parent: number = current.parent;
    current = rows.find((other): other is PageRow => other.kind === 'page' && other.page.id === parent);
  }
  return false;
}
