import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../test/databases.ts';
import { makeAccount, makePage } from '../../test/factories.ts';
import type { Db } from '../db/database.ts';
import { snapshot } from '../db/snapshot.ts';
import { findPage } from './find-page.ts';
import { type MenuPage, readMainMenu, readMenu } from './navigation.ts';
import { listSubPages } from './sub-pages.ts';
import { listVisiblePages } from './visible-pages.ts';

/** Creates pages by their paths, each after its parent. A `-` before a path makes the page hidden. */
async function makePages({ db }: TestDatabase, ...paths: string[]) {
  const { accountId, userId } = await makeAccount(db);
  const ids = new Map<string, number>();
  for (const text of paths) {
    const path = text.replace(/^-/, '');
    const parent = path.slice(0, path.lastIndexOf('/'));
    const id = await makePage(db, accountId, {
      name: path,
      userId,
      parentId: ids.get(parent)?.toString(),
      isHidden: text.startsWith('-') ? '1' : '0',
    });
    ids.set(path, id);
    await db.transaction().execute((trx) =>
      trx
        .updateTable('pages')
        .set({ urlname: path.slice(path.lastIndexOf('/') + 1) })
        .where('id', '=', id)
        .execute(),
    );
  }
  return accountId;
}

/** Returns a menu as nested lists of paths, with `…` for pages that are left out. */
function paths(pages: readonly MenuPage[]): unknown[] {
  return pages.map(({ path, children, hasMore }) =>
    children.length > 0 ? [path, paths(children), ...(hasMore ? ['…'] : [])] : path,
  );
}

async function menuFor(db: Db, accountId: number, path: string) {
  return snapshot(db, async (trx) => {
    const menu = await readMainMenu(trx, accountId);
    const page = (await findPage(trx, accountId, path.slice(1).split('/')))!;
    return readMenu(trx, accountId, menu, page.pathNodes);
  });
}

onEachDatabase('menus', (open) => {
  test('the main menu has the visible root pages and their children, in their order', async (t) => {
    const database = await open(t);
    const accountId = await makePages(
      database,
      '-/x',
      '/h',
      '/b',
      '/a',
      '/b/2',
      '/b/1',
      '-/b/3',
      '-/c',
      '/c/1',
      '/b/2/z',
    );
    const menu = await snapshot(database.db, (trx) => readMainMenu(trx, accountId));
    assert.deepEqual(paths(menu.roots), ['/', ['/b', ['/b/2', '/b/1']], '/a']);
    assert.deepEqual([menu.home, menu.hasMore], ['h', false]);
  });

  test('the menu of a page goes down to the page and its children, and no further', async (t) => {
    const database = await open(t);
    const accountId = await makePages(
      database,
      '/h',
      '/a',
      '/a/1',
      '/a/2',
      '/a/1/x',
      '/a/1/x/y',
      '/a/2/z',
      '/b',
      '/b/1',
    );
    const { db } = database;
    assert.deepEqual(paths((await menuFor(db, accountId, '/a/1')).roots), [
      '/',
      ['/a', [['/a/1', ['/a/1/x']], '/a/2']],
      ['/b', ['/b/1']],
    ]);
    assert.deepEqual(paths((await menuFor(db, accountId, '/a/1/x')).roots), [
      '/',
      ['/a', [['/a/1', [['/a/1/x', ['/a/1/x/y']]]], '/a/2']],
      ['/b', ['/b/1']],
    ]);
  });

  test('the menu omits pages below a hidden page', async (t) => {
    const database = await open(t);
    const accountId = await makePages(database, '/h', '/a', '-/a/1', '/a/1/x', '-/s', '/s/1');
    for (const path of ['/a/1', '/a/1/x', '/s', '/s/1']) {
      assert.deepEqual(paths((await menuFor(database.db, accountId, path)).roots), ['/', '/a'], path);
    }
  });

  test('a menu that would be too long is cut, but still has the path to the page', async (t) => {
    const database = await open(t);
    const roots = Array.from({ length: 26 }, (_, index) => `/r${index}`);
    const children = Array.from({ length: 55 }, (_, index) => `/r25/c${index}`);
    const inMenu = Array.from({ length: 31 }, (_, index) => `/r1/c${index}`);
    const accountId = await makePages(database, ...roots, ...children, ...inMenu);
    const main = await snapshot(database.db, (trx) => readMainMenu(trx, accountId));
    assert.deepEqual([main.roots.length, main.hasMore], [24, true]);
    assert.deepEqual([main.roots[1]!.children.length, main.roots[1]!.hasMore], [10, true]);
    const { roots: level } = await menuFor(database.db, accountId, '/r25/c54');
    assert.deepEqual([level.length, level.at(-1)!.path], [25, '/r25']);
    const last = level.at(-1)!;
    assert.deepEqual([last.children.length, last.children.at(-1)!.path, last.hasMore], [51, '/r25/c54', true]);
  });
});

onEachDatabase('pages by their path', (open) => {
  test('a page is found by its path with its ancestors, hidden or not, and only in its own account', async (t) => {
    const database = await open(t);
    const { db } = database;
    const accountId = await makePages(database, '/a', '-/a/b', '/a/b/c', '/b');
    const other = await makePages(database, '/z');
    const find = (account: number, ...urlnames: string[]) => snapshot(db, (trx) => findPage(trx, account, urlnames));
    const found = await find(accountId, 'a', 'b', 'c');
    assert.deepEqual(
      found!.pathNodes.map(({ name, isHidden }) => [name, isHidden]),
      [
        ['/a', 0],
        ['/a/b', 1],
        ['/a/b/c', 0],
      ],
    );
    assert.equal(found!.name, '/a/b/c');
    for (const urlnames of [[], ['c'], ['a', 'c'], ['a', 'b', 'c', 'd'], ['z'], ['A'], ['a', ''], ['"']]) {
      assert.equal(await find(accountId, ...urlnames), undefined, urlnames.join('/'));
    }
    assert.equal((await find(other, 'z'))!.name, '/z');
  });

  test('a page on the 30th level is found by its path', async (t) => {
    const database = await open(t);
    const deepest = Array.from({ length: 30 }, (_, index) => '/d'.repeat(index + 1));
    const accountId = await makePages(database, ...deepest);
    const urlnames = Array<string>(30).fill('d');
    const page = await snapshot(database.db, (trx) => findPage(trx, accountId, urlnames));
    assert.equal(page!.pathNodes.length, 30);
    assert.equal(await snapshot(database.db, (trx) => findPage(trx, accountId, [...urlnames, 'd'])), undefined);
  });

  test('all visible pages are listed in the order of the tree', async (t) => {
    const database = await open(t);
    const accountId = await makePages(database, '-/x', '/h', '/b', '/h/1', '/b/2', '/b/1', '-/c', '/c/1', '/b/2/z');
    const pages = await snapshot(database.db, (trx) => listVisiblePages(trx, accountId));
    assert.deepEqual(
      [...pages].map(({ path }) => path),
      ['/', '/h/1', '/b', '/b/2', '/b/2/z', '/b/1'],
    );
    assert.equal(pages.length, 6);
  });

  test('a part beyond the end of a list of sub-pages is undefined, and an empty list has an empty first part', async (t) => {
    const database = await open(t);
    const accountId = await makePages(database, '/a', '-/a/1');
    const { db } = database;
    const { id } = (await snapshot(db, (trx) => findPage(trx, accountId, ['a'])))!;
    const list = (part: number) => snapshot(db, (trx) => listSubPages(trx, accountId, id, part));
    assert.deepEqual(await list(1), { subPages: [], hasLater: false });
    assert.equal(await list(2), undefined);
    assert.equal(await list(9_999_999), undefined);
  });
});
