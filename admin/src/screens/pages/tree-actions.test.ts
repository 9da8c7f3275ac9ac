import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { clearMessages, messages, pressUndo } from '../../../../test/app-modules.ts';
import { openTestDatabase, type TestDatabase } from '../../../../test/databases.ts';
import { makeAccount } from '../../../../test/factories.ts';
import { connect } from '../../../../test/network.ts';
import { makeUser, Person, tokenFor } from '../../../../test/person.ts';
import { startService } from '../../../../test/service.ts';
import { api } from '../../api.ts';
import { childrenOf, PAGES, ROOT } from '../../data/tree-data.ts';
import { queryClient } from '../../queries.ts';
import type { PageRow } from './rows.ts';

const { treeActions } = await import('./tree-actions.ts');

/* Tests actions of the page tree with the app's own modules and a real service, without a browser. */

/** One database for all tests, with an account for each: the app caches pages by id, so ids must not repeat. */
let database: TestDatabase;
const closings: Array<() => unknown> = [];
before(async () => {
  database = await openTestDatabase({ after: (close) => void closings.push(close as () => unknown) }, 'sqlite');
});
after(async () => {
  for (const close of closings) await close();
});

test('a deleted page disappears at once, and “Undo” restores it to its place', async (t) => {
  const { row, shown, stored, network, settled } = await start(t, ['A', 'B', 'C']);
  const { letGo } = network.hold('DELETE');
  treeActions.remove(row('B'));
  assert.deepEqual(shown(), ['A', 'C']);
  letGo();
  await settled();
  assert.deepEqual(await stored(), ['A', 'C']);
  const undoing = network.hold('POST');
  pressUndo('“B” deleted');
  assert.deepEqual(shown(), ['A', 'B', 'C']);
  undoing.letGo();
  await settled();
  assert.deepEqual(await stored(), ['A', 'B', 'C']);
  assert.match(messages().at(-1)!.text, /^Undone/);
});

test('pages deleted one after the other are restored, in any order, to the places that the service gives them', async (t) => {
  const names = ['A', 'B', 'C', 'D', 'E'];
  for (const [removed, restored] of [
    ['BCD', 'BCD'],
    ['BCD', 'CBD'],
    ['DCB', 'BDC'],
    ['BDC', 'CDB'],
    ['AEC', 'ECA'],
    ['CAB', 'CAB'],
  ] as const) {
    await t.test(
      `pages deleted in the order ${removed} and restored in the order ${restored} show where the service puts them`,
      async (t) => {
        const { row, shown, stored, network, settled } = await start(t, names);
        for (const name of removed) treeActions.remove(row(name));
        await settled();
        for (const name of restored) {
          // The places that the app shows at once must be those of the service.
          const { letGo } = network.hold('POST');
          pressUndo(`“${name}” deleted`);
          const expected = shown();
          letGo();
          await settled();
          assert.deepEqual([expected, shown()], [await stored(), await stored()], name);
        }
        assert.deepEqual(shown(), names);
      },
    );
  }
});

test('a deleted page is restored to its place, whatever was deleted below other pages since', async (t) => {
  const { row, shown, stored, settled, id } = await start(t, ['A', 'B', 'C', 'D']);
  treeActions.move(row('D'), { parent: id('A'), position: 1, isLast: true });
  await settled();
  const [below] = childrenOf(id('A'));
  assert.ok(below);
  treeActions.remove(row('B'));
  treeActions.remove({ ...row('A'), page: below, parent: id('A') });
  await settled();
  pressUndo('“B” deleted');
  assert.deepEqual(shown(), ['A', 'B', 'C']);
  await settled();
  assert.deepEqual(await stored(), ['A', 'B', 'C']);
});

test('a refused change of the tree is reverted with a message', async (t) => {
  const { row, shown, network, done } = await start(t, ['A', 'B', 'C']);
  const messagesOfForm: string[] = [];
  network.isDown = true;
  for (const [act, expected] of [
    [() => treeActions.remove(row('B')), ['A', 'C']],
    [() => treeActions.move(row('C'), { parent: ROOT, position: 1 }), ['C', 'A', 'B']],
    [() => treeActions.rename(row('B'), 'Bread', () => messagesOfForm.push('refused')), ['A', 'Bread', 'C']],
    [() => treeActions.setHidden(row('A'), true), ['A', 'B', 'C']],
  ] as const) {
    act();
    assert.deepEqual(shown(), expected);
    await done();
    assert.deepEqual(shown(), ['A', 'B', 'C']);
  }
  assert.equal(row('A').page.isHidden, false);
  assert.equal(messages().filter(({ text }) => text.includes('cannot be reached')).length, 3);
  assert.deepEqual(messagesOfForm, ['refused'], 'a name is asked about where it was written');
});

test('several changes of one page do not conflict with each other, even before the first is answered', async (t) => {
  const { row, shown, stored, settled, done } = await start(t, ['A', 'B']);
  treeActions.setHidden(row('B'), true);
  treeActions.rename(row('B'), 'Bread', unexpected);
  treeActions.move(row('Bread'), { parent: ROOT, position: 1 });
  treeActions.rename(row('Bread'), 'Buns', unexpected);
  assert.deepEqual(shown(), ['Buns', 'A']);
  await settled();
  assert.deepEqual(await stored(), ['Buns', 'A']);
  assert.deepEqual([shown(), row('Buns').page.isHidden], [['Buns', 'A'], true]);
  // The undo does not conflict, either, whether or not the page was loaded again.
  pressUndo('Renamed');
  await done();
  assert.deepEqual(
    [shown(), await stored()],
    [
      ['Bread', 'A'],
      ['Bread', 'A'],
    ],
  );
  treeActions.rename(row('Bread'), 'Rolls', unexpected);
  await settled();
  assert.deepEqual(await stored(), ['Rolls', 'A']);
});

test('a change of a page that another user has changed since is refused', async (t) => {
  const { row, person, settled, id } = await start(t, ['A', 'B']);
  await person.patch(`pages/${id('B')}`, { name: 'Bakery' }, { 'If-Match': '*' });
  let refused: unknown;
  treeActions.rename(row('B'), 'Bread', (error) => {
    refused = error;
  });
  await settled();
  assert.equal((refused as { status?: number } | undefined)?.status, 412);
});

test('moving a page below another and back updates the numbers of their children', async (t) => {
  const { row, shown, settled, id } = await start(t, ['A', 'B', 'C']);
  treeActions.move(row('B'), { parent: id('A'), position: 1, isLast: true });
  assert.deepEqual([shown(), shown(id('A')), row('A').page.childCount], [['A', 'C'], ['B'], 1]);
  await settled();
  assert.deepEqual(shown(id('A')), ['B']);
  assert.match(messages().at(-1)!.text, /1 address changed/);
  pressUndo('moved');
  assert.deepEqual([shown(), row('A').page.childCount], [['A', 'B', 'C'], 0]);
  await settled();
  assert.deepEqual([shown(), row('A').page.childCount], [['A', 'B', 'C'], 0]);
});

test('a duplicated page shows unpublished behind the original at once, and “Undo” removes it', async (t) => {
  const { row, shown, stored, network, settled } = await start(t, ['A', 'B']);
  const { letGo } = network.hold('POST');
  treeActions.duplicate(row('A'));
  assert.deepEqual(shown(), ['A', 'A', 'B']);
  assert.deepEqual(
    childrenOf(ROOT).map(({ id, isPublished }) => [id < 0, isPublished]),
    [
      [false, true],
      [true, false],
      [false, true],
    ],
  );
  letGo();
  await settled();
  assert.deepEqual(
    [shown(), await stored()],
    [
      ['A', 'A 2', 'B'],
      ['A', 'A 2', 'B'],
    ],
  );
  pressUndo('duplicated');
  assert.deepEqual(shown(), ['A', 'B']);
  await settled();
  assert.deepEqual(await stored(), ['A', 'B']);
});

test('a new page shows last at once, gets its id from the service, and “Undo” removes it', async (t) => {
  const { shown, stored, network, settled } = await start(t, ['A', 'B']);
  const done: string[] = [];
  const creation = {
    onCreated: (id: number) => void done.push(`created ${id > 0}`),
    onUndo: (id: number) => void done.push(`undone ${id > 0}`),
    onRefused: (error: unknown) => void done.push(`refused ${(error as { status: number }).status}`),
  };
  const { letGo } = network.hold('POST');
  treeActions.create(ROOT, 'C', creation);
  assert.deepEqual([shown(), childrenOf(ROOT).at(-1)!.id < 0, done], [['A', 'B', 'C'], true, []]);
  letGo();
  await settled();
  assert.deepEqual([await stored(), done], [['A', 'B', 'C'], ['created true']]);
  treeActions.create(ROOT, 'C', creation);
  assert.deepEqual(shown(), ['A', 'B', 'C', 'C']);
  await settled();
  assert.deepEqual(
    [shown(), done],
    [
      ['A', 'B', 'C'],
      ['created true', 'refused 422'],
    ],
  );
  pressUndo('“C” created');
  assert.deepEqual(shown(), ['A', 'B']);
  await settled();
  assert.deepEqual([await stored(), done.at(-1)], [['A', 'B'], 'undone true']);
});

function unexpected(error: unknown): void {
  assert.fail(String(error));
}

async function start(t: TestContext, names: readonly string[]) {
  const service = await startService(t, database);
  const { accountId } = await makeAccount(database.db);
  const { id: userId } = await makeUser(database.db, accountId, { role: 'owner' });
  const person = new Person(service, await tokenFor(database.db, accountId, userId));
  for (const name of names) {
    const { id, version } = (await person.post('pages', { name })).json;
    assert.equal((await person.post(`pages/${id}/publish`, {}, { 'If-Match': `"${version}"` })).status, 200);
  }
  const network = connect(t, person);
  const load = async (parent: number) =>
    queryClient.setQueryData([...PAGES, 'children', parent], await api.children(parent, 0));
  await load(ROOT);
  clearMessages();
  t.after(() => queryClient.clear());
  const done = async () => {
    do await network.idle();
    while (queryClient.isMutating() > 0);
  };
  const shown = (parent = ROOT) => childrenOf(parent).map(({ name }) => name);
  const row = (name: string): PageRow => {
    const page = childrenOf(ROOT).find((one) => one.name === name);
    assert.ok(page, `${name} in ${shown()}`);
    return {
      kind: 'page',
      key: name,
      page,
      parent: ROOT,
      level: 1,
      siblings: childrenOf(ROOT).length,
      path: '',
      isBelowHidden: false,
      isOpen: false,
    };
  };
  return {
    person,
    network,
    row,
    shown,
    id: (name: string) => row(name).page.id,
    stored: async () => (await api.children(ROOT, 0)).pages.map(({ name }) => name),
    done,
    /** Resolves once all changes are done, and the shown pages are loaded again. */
    settled: async () => {
      await done();
      for (const [[, , parent]] of queryClient.getQueriesData({ queryKey: PAGES })) await load(Number(parent));
    },
  };
}
