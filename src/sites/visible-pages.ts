import type { Trx } from '../db/database.ts';
import type { Timestamp } from '../db/schema.ts';
import { isVisible } from '../pages/page-status.ts';
import { computeTreeOrder } from '../pages/page-tree.ts';
import { parentKey } from '../pages/positions.ts';
import { readByParent } from '../pages/read-by-parent.ts';

/** A published page that menus lead to: neither it nor any page above it is hidden or unpublished. */
export interface VisiblePage {
  id: number;
  /** The URL path from the root; `/` for the home page. */
  path: string;
  updatedAt: Timestamp;
  customDate: Timestamp;
}

/** All of an account's visible pages in the order of the tree, each before its children. */
export class VisiblePages {
  readonly #columns: Columns;
  readonly #indexes: Uint32Array;
  readonly #depths: Uint8Array;

  constructor(columns: Columns, order: { indexes: Uint32Array; depths: Uint8Array }) {
    this.#columns = columns;
    this.#indexes = order.indexes;
    this.#depths = order.depths;
  }

  get length(): number {
    return this.#indexes.length;
  }

  /** Returns the length of the longest path in characters. */
  longestPath(): number {
    const lengths = [0];
    let longest = 1;
    for (let count = 0; count < this.#indexes.length; count++) {
      const depth = this.#depths[count]!;
      const length = lengths[depth - 1]! + 1 + this.#columns.urlnames[this.#indexes[count]!]!.length;
      lengths[depth] = length;
      longest = Math.max(longest, length);
    }
    return longest;
  }

  /**
   * Yields the pages one after another, each created when needed: a hundred thousand at once would take a hundred megabytes.
   */
  *[Symbol.iterator](): Generator<VisiblePage> {
    const { ids, urlnames, updated, dates } = this.#columns;
    // The path of the current page at each depth.
    const paths: string[] = [''];
    for (let count = 0; count < this.#indexes.length; count++) {
      const index = this.#indexes[count]!;
      const depth = this.#depths[count]!;
      const path = `${paths[depth - 1]}/${urlnames[index]}`;
      paths[depth] = path;
      yield {
        id: ids[index]!,
        path: count === 0 ? '/' : path,
        updatedAt: updated[index]!,
        customDate: dates[index]!,
      };
    }
  }
}

interface Columns {
  ids: number[];
  parents: number[];
  urlnames: string[];
  updated: number[];
  dates: number[];
}

/** Reads the visible pages in parts, between which other work gets its turn, so that the largest account blocks no other. */
export async function listVisiblePages(trx: Trx, accountId: number): Promise<VisiblePages> {
  const columns: Columns = { ids: [], parents: [], urlnames: [], updated: [], dates: [] };
  const { ids, parents } = columns;
  for await (const part of readVisible(trx, accountId)) {
    for (const row of part) {
      ids.push(row.id);
      parents.push(row.parent);
      columns.urlnames.push(row.urlname);
      columns.updated.push(row.updatedAt);
      columns.dates.push(row.customDate);
    }
  }
  // Pages below an invisible page cannot be reached from the root in the rows that were read, so they are left out.
  return new VisiblePages(columns, await computeTreeOrder({ ids, parents, length: ids.length }));
}

const readVisible = readByParent((db) =>
  db
    .selectFrom('pages')
    .select([
      'id',
      parentKey.as('parent'),
      'urlname',
      'position',
      'updated_at as updatedAt',
      'custom_date as customDate',
    ])
    .where(isVisible),
);
