import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { onEachDatabase } from '../../test/databases.ts';
import { actor, makeAccount, makePage, quota } from '../../test/factories.ts';
import { noImages } from '../../test/images.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { examine } from '../operations/doctor.ts';
import { deletePage } from './delete-page.ts';
import { duplicatePage } from './duplicate-page.ts';
import { movePage } from './move-page.ts';
import { findMovedPage } from './redirects.ts';
import { pathOf } from './subtree.ts';
import { undoChange } from './undo-change.ts';
import { updatePage } from './update-page.ts';

/** Different names, many of which give the same urlname. */
const names = ['A', 'a', 'A!', 'B', 'b', 'B?', 'C', 'C.', 'D', 'D 2', 'd-2', 'd 2!'];

type Change =
  | { kind: 'create'; page: number; name: number }
  | { kind: 'move'; page: number; parent: number; position: number }
  | { kind: 'rename'; page: number; name: number; withAddress: boolean }
  | { kind: 'delete'; page: number }
  | { kind: 'duplicate'; page: number }
  | { kind: 'undo'; undo: number };

const some = fc.nat({ max: 40 });
const name = fc.nat({ max: names.length - 1 });
const position = fc.integer({ min: -1, max: 6 });
const move = fc.record({ kind: fc.constant('move' as const), page: some, parent: some, position });
const rename = fc.record({ kind: fc.constant('rename' as const), page: some, name, withAddress: fc.boolean() });
const remove = fc.record({ kind: fc.constant('delete' as const), page: some });
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create' as const), page: some, name }) },
  { weight: 4, arbitrary: move },
  { weight: 3, arbitrary: rename },
  { weight: 2, arbitrary: remove },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('duplicate' as const), page: some }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('undo' as const), undo: some }) },
);

onEachDatabase('changing the tree', (open, kind) => {
  test('random changes leave a tree with correct positions, and every old address redirects to its page', async (t) => {
    const { db } = await open(t);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 40, size: 'max' }), async (changes) => {
        const tree = await Tree.make(db);
        for (const each of changes) {
          await tree.apply(each);
          await tree.check();
        }
        await tree.checkAddresses();
      }),
      // Both databases run the same rules, and PostgreSQL takes eight times as long.
      { numRuns: kind === 'sqlite' ? 100 : 30 },
    );
    assert.deepEqual((await examine(db, noImages)).problems, []);
  });

  test('deletions undone in any order return each page to its place among the present pages', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const named = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
    const all: number[] = [];
    for (const name of named) all.push(await makePage(db, accountId, { userId, name }));
    const order = fc.shuffledSubarray(all, { minLength: all.length });
    await fc.assert(
      fc.asyncProperty(order, order, fc.nat({ max: all.length }), async (deleted, undone, most) => {
        const undos = new Map<number, number>();
        const removed = deleted.slice(0, most);
        const assertOrder = async () => {
          const rows = await db
            .selectFrom('pages')
            .select('id')
            .where('account_id', '=', accountId)
            .orderBy('position')
            .execute();
          assert.deepEqual(
            rows.map(({ id }) => id),
            all.filter((id) => !undos.has(id)),
          );
        };
        for (const id of removed) {
          const { undo } = await db.transaction().execute((trx) => deletePage(trx, accountId, id, actor(userId)));
          undos.set(id, undo);
        }
        for (const id of undone.filter((id) => undos.has(id))) {
          await db
            .transaction()
            .execute((trx) => undoChange(trx, accountId, { id: undos.get(id)!, quota }, actor(userId)));
          undos.delete(id);
          await assertOrder();
        }
      }),
      { numRuns: 30 },
    );
  });

  test('a page restored before its deleted parent comes back at the root, and the parent with its other pages', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const parent = await makePage(db, accountId, { userId, name: 'Parent' });
    const first = await makePage(db, accountId, { userId, name: 'First', parentId: String(parent) });
    const second = await makePage(db, accountId, { userId, name: 'Second', parentId: String(parent) });
    const remove = (id: number) => db.transaction().execute((trx) => deletePage(trx, accountId, id, actor(userId)));
    const undos = [await remove(first), await remove(parent)];
    for (const { undo } of undos) {
      await db.transaction().execute((trx) => undoChange(trx, accountId, { id: undo, quota }, actor(userId)));
    }
    const rows = await db
      .selectFrom('pages')
      .select(['id', 'parent_id', 'position'])
      .where('account_id', '=', accountId)
      .orderBy('id')
      .execute();
    const places = rows.map(({ id, parent_id, position }) => [id, parent_id, position]);
    assert.deepEqual(places, [
      [parent, null, 1],
      [first, null, 2],
      [second, parent, 1],
    ]);
  });

  test('a move among siblings writes the moved page itself only once, since its text may be long', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const ids: number[] = [];
    for (let count = 0; count < 5; count++) ids.push(await makePage(db, accountId, { userId }));
    const updates = new WeakSet<object>();
    const written: number[] = [];
    const counting = db.withPlugin({
      transformQuery: ({ node, queryId }) => {
        if (node.kind === 'UpdateQueryNode' && JSON.stringify(node).includes('"pages"')) updates.add(queryId);
        return node;
      },
      transformResult: async ({ result, queryId }) => {
        if (updates.has(queryId)) written.push(Number(result.numAffectedRows));
        return result;
      },
    });
    for (const [index, position] of [
      [0, 4],
      [3, 1],
    ] as const) {
      const input = { id: ids[index]!, parentId: null, position };
      await counting.transaction().execute((trx) => movePage(trx, accountId, input, actor(userId)));
    }
    assert.deepEqual(written, [3, 1, 3, 2, 1, 2]);
    const order = await db.selectFrom('pages').select(['id', 'position']).orderBy('position').execute();
    assert.deepEqual(
      order.map(({ id, position }) => [ids.indexOf(id), position]),
      [
        [3, 1],
        [1, 2],
        [2, 3],
        [0, 4],
        [4, 5],
      ],
    );
  });

  test('an immediate undo restores the tree and all redirects', async (t) => {
    const { db } = await open(t);
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 5, maxLength: 20, size: 'max' }),
        fc.oneof(move, rename, remove),
        async (changes, last) => {
          const tree = await Tree.make(db);
          for (const each of changes) {
            await tree.apply(each);
            await tree.check();
          }
          const before = await tree.pages();
          // A path that led nowhere, since its page is gone, may now lead to the page that had it for a moment.
          const formerTargets = (await tree.oldAddresses()).filter(([, target]) => target);
          const undo = await tree.apply(last);
          if (undo === undefined) return;
          await tree.undo(undo);
          assert.deepEqual(await tree.pages(), before);
          const targets = new Map(await tree.oldAddresses());
          for (const [path, target] of formerTargets) assert.deepEqual(targets.get(path), target, path);
        },
      ),
      { numRuns: 30, examples: [twoUndoneAtOneAddress] },
    );
  });

  for (const [what, changes] of [
    ['many conflicting moves at once', move],
    ['changes of all kinds at once', change],
  ] as const) {
    test(`${what} leave neither a cycle nor a gap in the tree`, async (t) => {
      const { db } = await open(t);
      await fc.assert(
        fc.asyncProperty(fc.array<Change>(changes, { minLength: 20, maxLength: 40, size: 'max' }), async (all) => {
          const tree = await Tree.make(db);
          for (let count = 0; count < names.length; count++) {
            await tree.apply({ kind: 'create', page: Math.floor(count / 2), name: count });
          }
          assert.equal((await tree.pages()).length, names.length);
          await Promise.all(all.map((each) => tree.apply(each)));
          await tree.check();
        }),
        { numRuns: 5 },
      );
      assert.deepEqual((await examine(db, noImages)).problems, []);
    });
  }
});

/** Two pages in turn get an address and lose it through an undo: the address keeps redirecting to the first page. */
const twoUndoneAtOneAddress: [Change[], Change] = [
  [
    { kind: 'create', page: 0, name: 10 },
    { kind: 'rename', page: 0, name: 6, withAddress: true },
    { kind: 'undo', undo: 0 },
    { kind: 'create', page: 0, name: 6 },
    { kind: 'create', page: 0, name: 10 },
    { kind: 'undo', undo: 0 },
  ],
  { kind: 'move', page: 3, parent: 29, position: 0 },
];

interface Row {
  id: number;
  parent_id: number | null;
  position: number;
  urlname: string;
  name: string;
}

class Tree {
  readonly db: Db;
  readonly accountId: number;
  readonly userId: number;
  /** The ids for undoing the changes so far, including undone changes. */
  readonly undos: number[] = [];
  /** The ids of the pages that have had each path. */
  readonly history = new Map<string, Set<number>>();
  #pages: Row[] = [];

  private constructor(db: Db, accountId: number, userId: number) {
    this.db = db;
    this.accountId = accountId;
    this.userId = userId;
  }

  static async make(db: Db): Promise<Tree> {
    const { accountId, userId } = await makeAccount(db);
    return new Tree(db, accountId, userId);
  }

  pages(): Promise<Row[]> {
    return this.db
      .selectFrom('pages')
      .select(['id', 'parent_id', 'position', 'urlname', 'name'])
      .where('account_id', '=', this.accountId)
      .orderBy('id')
      .execute();
  }

  /** Makes the change to existing pages, and returns the id of its undo. A change that breaks a rule is refused. */
  async apply(change: Change): Promise<number | undefined> {
    this.#pages = await this.pages();
    const id = 'page' in change ? this.#page(change.page) : 0;
    try {
      const undo = await this.#make(change, id);
      if (undo !== undefined) this.undos.push(undo);
      return undo;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return undefined;
    }
  }

  async undo(id: number): Promise<number | undefined> {
    const { accountId, userId } = this;
    return (await this.db.transaction().execute((trx) => undoChange(trx, accountId, { id, quota }, actor(userId))))
      .undo;
  }

  async #make(change: Change, id: number): Promise<number | undefined> {
    const { db, accountId, userId } = this;
    const within = db.transaction();
    switch (change.kind) {
      case 'create':
        await makePage(db, accountId, {
          userId,
          name: names[change.name],
          parentId: String(this.#parent(change.page) ?? 0),
        });
        return undefined;
      case 'move': {
        const input = { id, parentId: this.#parent(change.parent), position: change.position };
        return (await within.execute((trx) => movePage(trx, accountId, input, actor(userId)))).undo;
      }
      case 'rename': {
        const fields = { name: names[change.name], ...(change.withAddress && { urlname: '' }) };
        return (
          await within.execute((trx) =>
            updatePage(trx, accountId, { id, basedOn: undefined, fields, quota }, actor(userId)),
          )
        ).undo;
      }
      case 'delete':
        return (await within.execute((trx) => deletePage(trx, accountId, id, actor(userId)))).undo;
      case 'duplicate':
        await within.execute(async (trx) => {
          const copy = await duplicatePage(trx, accountId, { id, quota }, actor(userId));
          // Nothing redirects to an unpublished page.
          await updatePage(
            trx,
            accountId,
            { id: copy, basedOn: undefined, fields: {}, status: 'published', quota },
            actor(userId),
          );
        });
        return undefined;
      case 'undo': {
        const undo = this.undos[change.undo % Math.max(1, this.undos.length)];
        return undo === undefined ? undefined : this.undo(undo);
      }
    }
  }

  /** Returns the id of the page that a number stands for; if there are no pages, an id that no page has. */
  #page(number: number): number {
    return this.#pages[number % Math.max(1, this.#pages.length)]?.id ?? 0;
  }

  /** Returns the id of the parent that a number stands for; null for the root. */
  #parent(number: number): number | null {
    return this.#pages[number % (this.#pages.length + 1)]?.id ?? null;
  }

  /** Checks positions, urlnames and that the root leads to every page. Records the pages' addresses in `history`. */
  async check(): Promise<void> {
    const pages = await this.pages();
    let reached = 0;
    const visit = (parent: number | null, path: string): void => {
      const children = pages.filter(({ parent_id }) => parent_id === parent);
      const positions = children.map(({ position }) => position).sort((a, b) => a - b);
      assert.deepEqual(
        positions,
        children.map((_, index) => index + 1),
      );
      assert.equal(new Set(children.map(({ urlname }) => urlname)).size, children.length);
      for (const { id, urlname } of children) {
        reached += 1;
        const own = `${path}/${urlname}`;
        this.history.set(own, (this.history.get(own) ?? new Set()).add(id));
        visit(id, own);
      }
    };
    visit(null, '');
    assert.equal(reached, pages.length);
  }

  /** Checks that every path that a page has had redirects to one of the pages that had it, if any of them still exists. */
  async checkAddresses(): Promise<void> {
    const present = await this.#present();
    for (const [path, target] of await this.oldAddresses()) {
      const left = [...this.history.get(path)!].filter((id) => present.has(id));
      if (left.length === 0) assert.equal(target, undefined);
      else {
        assert.ok(target, `${path} leads nowhere`);
        assert.ok(left.includes(target.id), `${path} leads to a page that never had it`);
        assert.equal(target.path, present.get(target.id));
      }
    }
  }

  /** Returns the redirects' targets for the paths that a page has had and none has now. */
  async oldAddresses(): Promise<[path: string, target: { id: number; path: string } | undefined][]> {
    const taken = new Set((await this.#present()).values());
    const old = [...this.history.keys()].filter((path) => !taken.has(path));
    return this.db.transaction().execute(async (trx) => {
      const targets: [string, { id: number; path: string } | undefined][] = [];
      for (const path of old) {
        const pathNodes = await findMovedPage(trx, this.accountId, path);
        targets.push([path, pathNodes && { id: pathNodes.at(-1)!.id, path: pathOf(pathNodes) }]);
      }
      return targets;
    });
  }

  /** Returns the path of each page by its id. */
  async #present(): Promise<Map<number, string>> {
    const pages = new Map((await this.pages()).map((page) => [page.id, page]));
    const pathTo = (id: number): string => {
      const { parent_id, urlname } = pages.get(id)!;
      return `${parent_id === null ? '' : pathTo(parent_id)}/${urlname}`;
    };
    return new Map([...pages.keys()].map((id) => [id, pathTo(id)]));
  }
}
