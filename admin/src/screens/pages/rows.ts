import type { PageChildrenJson, TreePageJson } from '../../contract.ts';
import { type ParentId, ROOT } from '../../data/tree-data.ts';

export interface PageRow {
  readonly kind: 'page';
  readonly key: string;
  readonly page: TreePageJson;
  readonly parent: ParentId;
  /** From 1. */
  readonly level: number;
  /** How many there are with it. */
  readonly siblings: number;
  readonly path: string;
  /** Whether a page above it is hidden or not published, so that it is in no navigation, whatever is said of itself. */
  readonly isBelowHidden: boolean;
  readonly isOpen: boolean;
}

/** A placeholder for pages that have not been loaded, or for one that is being created. */
export interface GapRow {
  readonly kind: 'gap';
  readonly key: string;
  readonly parent: ParentId;
  readonly level: number;
  /** Whether some of the siblings are loaded, and more are to come. */
  readonly isMore: boolean;
  /** The name of the page that is being created. */
  readonly name?: string;
}

export type Row = PageRow | GapRow;

/** The tree as the list that is on the screen. */
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
    // Another one for each part: it asks once, when it comes into view, and that may be where the last one stood.
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
  /** Behind all others there are when it comes to it: others may be there by then. */
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

/** Returns the place one step in this direction; undefined if there is none. */
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

/** Whether the row is the page or below it: where it cannot go. */
export function isWithin(rows: readonly Row[], id: number, row: PageRow): boolean {
  let current: PageRow | undefined = row;
  while (current) {
    if (current.page.id === id) return true;
    const parent: number = current.parent;
    current = rows.find((other): other is PageRow => other.kind === 'page' && other.page.id === parent);
  }
  return false;
}
