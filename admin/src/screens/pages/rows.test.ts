import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageChildrenJson, TreePageJson } from '../../contract.ts';
import { isWithin, type PageRow, rowsOf, stepFrom } from './rows.ts';

/*
 * The tree of these tests: Home, About (with Team, which has Ann, and Jobs), Menu, and one more root page that is not loaded.
 */
const children = new Map<number, PageChildrenJson>([
  [
    0,
    {
      pages: [page(1, 'Home', 1), page(2, 'About', 2, { childCount: 2, isHidden: true }), page(3, 'Menu', 3)],
      total: 4,
    },
  ],
  [2, { pages: [page(4, 'Team', 1, { childCount: 1 }), page(5, 'Jobs', 2)], total: 2 }],
  [4, { pages: [page(6, 'Ann', 1)], total: 1 }],
]);

test('children of expanded pages are rows below them, with level, path and number of siblings', () => {
  const rows = rowsOf(children, new Set([2, 4]));
  assert.deepEqual(
    rows.map((row) => (row.kind === 'page' ? [row.path, row.level, row.siblings, row.isOpen] : [row.key, row.isMore])),
    [
      ['/home', 1, 4, false],
      ['/about', 1, 4, true],
      ['/about/team', 2, 2, true],
      ['/about/team/ann', 3, 1, false],
      ['/about/jobs', 2, 2, false],
      ['/menu', 1, 4, false],
      ['more-0-3', true],
    ],
  );
});

test('rows at any level below a hidden page are marked, and the row of the hidden page is not', () => {
  const below = pagesOf(rowsOf(children, new Set([2, 4]))).filter((row) => row.isBelowHidden);
  assert.deepEqual(
    below.map(({ page: { name } }) => name),
    ['Team', 'Ann', 'Jobs'],
  );
});

test('a page that is collapsed, or has lost its children, has no rows below it', () => {
  assert.equal(pagesOf(rowsOf(children, new Set())).length, 3);
  const childless = new Map(children).set(0, { pages: [page(2, 'About', 1)], total: 1 });
  assert.deepEqual(rowsOf(childless, new Set([2])).length, 1);
});

test('an expanded page without loaded children, and a page being created, have placeholder rows', () => {
  const loading = new Map<number, PageChildrenJson>([
    [0, { pages: [page(2, 'About', 1, { childCount: 2 }), page(-1, 'New', 2)], total: 2 }],
  ]);
  assert.deepEqual(rowsOf(loading, new Set([2])).slice(1), [
    { kind: 'gap', key: 'gap-2', parent: 2, level: 2, isMore: false },
    { kind: 'gap', key: 'coming--1', parent: 0, level: 1, isMore: false, name: 'New' },
  ]);
});

test('a step in the tree moves a page up, down, into the page above it, or out behind its parent', () => {
  const rows = rowsOf(children, new Set([2, 4]));
  const step = (name: string, direction: Parameters<typeof stepFrom>[2]) => stepFrom(rows, rowOf(name), direction);
  assert.deepEqual(step('Menu', 'up'), { parent: 0, position: 2 });
  assert.deepEqual(step('Home', 'up'), undefined);
  assert.deepEqual(step('Home', 'down'), { parent: 0, position: 2 });
  assert.deepEqual(step('Jobs', 'down'), undefined);
  assert.deepEqual(step('Menu', 'down'), { parent: 0, position: 4 }, 'one more page follows that is not loaded');
  assert.deepEqual(step('Menu', 'into'), { parent: 2, position: 3, isLast: true });
  assert.deepEqual(step('Jobs', 'into'), { parent: 4, position: 2, isLast: true });
  assert.deepEqual(step('Home', 'into'), undefined);
  assert.deepEqual(step('Ann', 'out'), { parent: 2, position: 2 });
  assert.deepEqual(step('Jobs', 'out'), { parent: 0, position: 3 });
  assert.deepEqual(step('Menu', 'out'), undefined);
});

test('a page cannot be moved into itself or below itself', () => {
  const rows = rowsOf(children, new Set([2, 4]));
  const within = ['Home', 'About', 'Team', 'Ann', 'Jobs', 'Menu'].filter((name) => isWithin(rows, 2, rowOf(name)));
  assert.deepEqual(within, ['About', 'Team', 'Ann', 'Jobs']);
});

function rowOf(name: string): PageRow {
  return pagesOf(rowsOf(children, new Set([2, 4]))).find((row) => row.page.name === name)!;
}

function pagesOf(rows: ReturnType<typeof rowsOf>): PageRow[] {
  return rows.filter((row): row is PageRow => row.kind === 'page');
}

function page(id: number, name: string, position: number, more: Partial<TreePageJson> = {}): TreePageJson {
  const urlname = name.toLowerCase();
  return {
    id,
    name,
    urlname,
    position,
    isHidden: false,
    isPublished: true,
    childCount: 0,
    hasDraft: false,
    version: 1,
    ...more,
  } as TreePageJson;
}
