import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { batchLoader } from './batch-loader.ts';

test('lookups in the same turn of the event loop share one query, whatever their keys', async () => {
  const { find, asked } = countingLoader();
  assert.deepEqual(await Promise.all([find('a'), find('a'), find('b'), find('a')]), [1, 1, 2, 1]);
  assert.deepEqual(asked, ['a', 'b']);
  assert.equal(await find('a'), 3);
});

test('no caller gets a value that was read before its call', async () => {
  const gate = Promise.withResolvers<void>();
  const { find, asked } = countingLoader(() => gate.promise);
  const first = find('a');
  while (asked.length === 0) await setImmediate();
  const later = [find('a'), find('a')];
  gate.resolve();
  assert.equal(await first, 1);
  assert.deepEqual(await Promise.all(later), [2, 2]);
});

test('a failed query rejects all callers of its batch and no others', async () => {
  let fail = true;
  const { find } = countingLoader(async () => {
    if (fail) throw new Error('no answer');
  });
  const outcomes = await Promise.allSettled([find('a'), find('a')]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  fail = false;
  assert.equal(await find('a'), 2);
});

test('a key that `isWorthAsking` rejects is not looked up', async () => {
  const { find, asked } = countingLoader();
  assert.equal(await find(''), undefined);
  assert.deepEqual(asked, []);
});

/** Returns a batch loader whose value for a key is the number of keys looked up so far. */
function countingLoader(wait: () => Promise<void> = async () => {}) {
  const asked: string[] = [];
  const ask = async (keys: readonly string[]) => {
    const counts = new Map(keys.map((key) => [key, asked.push(key)]));
    await wait();
    return counts;
  };
  return { find: batchLoader(ask, { isWorthAsking: (key) => key !== '' }), asked };
}
