import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { queryClient } from './queries.ts';
import { addItem, changeItem, moveItem, removeItem, runOptimistic, temporaryId } from './run-optimistic.ts';

interface Item {
  readonly id: number;
  readonly name: string;
}

test('an item that is removed and restored returns to its place, even if the list has changed meanwhile', (t) => {
  const { ids, set } = listOf(t, [1, 2, 3, 4]);
  const back = removeItem(key, { id: 3 });
  assert.deepEqual(ids(), [1, 2, 4]);
  // Other items are added first and removed meanwhile.
  set([9, 1, 2]);
  back();
  assert.deepEqual(ids(), [9, 1, 2, 3]);
  back();
  assert.deepEqual(ids(), [9, 1, 2, 3], 'it is restored only once');
});

test('the first item is restored as the first, and an item that was loaded again is not duplicated', (t) => {
  const { ids, set } = listOf(t, [1, 2]);
  const back = removeItem(key, { id: 1 });
  back();
  assert.deepEqual(ids(), [1, 2]);
  const again = removeItem(key, { id: 2 });
  set([1, 2]);
  again();
  assert.deepEqual(ids(), [1, 2]);
});

test('reverting an added item removes only that item, and reverting a change restores only the changed fields', (t) => {
  const { ids, items } = listOf(t, [1, 2]);
  const [first, last] = [addItem(key, item(temporaryId()), 'first'), addItem(key, item(8), 'last')];
  assert.deepEqual(ids(), [ids()[0]!, 1, 2, 8]);
  assert.ok(ids()[0]! < 0);
  first();
  assert.deepEqual(ids(), [1, 2, 8]);
  last();
  const back = changeItem<Item>(key, items()[1]!, { name: 'new' });
  const backAgain = changeItem<Item & { more?: string }>(key, items()[1]!, { more: 'x' });
  assert.deepEqual(items()[1], { id: 2, name: 'new', more: 'x' });
  back();
  assert.deepEqual(items()[1], { id: 2, name: 'item 2', more: 'x' });
  backAgain();
  assert.deepEqual(items()[1], { id: 2, name: 'item 2', more: undefined });
});

test('an item that is moved takes the place of another, and moves back to its own', (t) => {
  const { ids, set } = listOf(t, [1, 2, 3, 4]);
  const back = moveItem(key, { id: 1 }, { id: 3 });
  assert.deepEqual(ids(), [2, 3, 1, 4]);
  back();
  assert.deepEqual(ids(), [1, 2, 3, 4]);
  moveItem(key, { id: 4 }, { id: 2 });
  assert.deepEqual(ids(), [1, 4, 2, 3]);
  set([1, 2]);
  moveItem(key, { id: 4 }, { id: 2 });
  assert.deepEqual(ids(), [1, 2], 'a missing item is not moved');
});

test('in a list that is loaded in pages, an item is changed in its page', (t) => {
  t.after(() => queryClient.clear());
  queryClient.setQueryData(key, { pageParams: [0, 1], pages: [{ items: [item(1)] }, { items: [item(2), item(3)] }] });
  const ids = () =>
    queryClient.getQueryData<{ pages: { items: Item[] }[] }>(key)!.pages.map(({ items }) => items.map(({ id }) => id));
  const back = removeItem(key, { id: 3 });
  assert.deepEqual(ids(), [[1], [2]]);
  back();
  assert.deepEqual(ids(), [[1], [2, 3]]);
});

test('a change that the service refuses is reverted before the error is reported', async (t) => {
  const { ids } = listOf(t, [1, 2]);
  const { promise, resolve } = Promise.withResolvers<number[]>();
  runOptimistic({
    about: key,
    show: () => removeItem(key, { id: 1 }),
    send: () => Promise.reject(new Error('no')),
    onDone: () => assert.fail(),
    onError: () => resolve(ids()),
  });
  assert.deepEqual(ids(), [2]);
  assert.deepEqual(await promise, [1, 2]);
});

test('changes with the same key are sent one after the other, and the list is reloaded after the last', async (t) => {
  const { ids } = listOf(t, [1, 2, 3]);
  const steps: string[] = [];
  const loaded = Promise.withResolvers<void>();
  t.mock.method(queryClient, 'invalidateQueries', async () => {
    steps.push('loaded again');
    loaded.resolve();
  });
  const gates = [1, 2].map((id) => {
    const gate = Promise.withResolvers<void>();
    runOptimistic({
      about: key,
      show: () => removeItem(key, { id }),
      send: async () => {
        steps.push(`send ${id}`);
        await gate.promise;
      },
      onDone: () => void steps.push(`done ${id}`),
    });
    return gate;
  });
  assert.deepEqual(ids(), [3], 'both show at once');
  gates[1]!.resolve();
  await new Promise(setImmediate);
  assert.deepEqual(steps, ['send 1']);
  gates[0]!.resolve();
  await loaded.promise;
  assert.deepEqual(steps, ['send 1', 'done 1', 'send 2', 'done 2', 'loaded again']);
});

const key = ['items'];

function item(id: number): Item {
  return { id, name: `item ${id}` };
}

function listOf(t: TestContext, ids: readonly number[]) {
  t.after(() => queryClient.clear());
  const set = (next: readonly number[]) => void queryClient.setQueryData(key, { items: next.map(item), total: 9 });
  set(ids);
  const items = () => queryClient.getQueryData<{ items: Item[] }>(key)!.items;
  return { set, items, ids: () => items().map(({ id }) => id) };
}
