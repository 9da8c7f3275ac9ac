import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { batchLoader } from './batch-loader.ts';

test('callers that ask in the same turn share one query, whatever their keys', async () => {
  const { find, asked } = askable();
  assert.deepEqual(await Promise.all([find('a'), find('a'), find('b'), find('a')]), [1, 1, 2, 1]);
  assert.deepEqual(asked, ['a', 'b']);
  assert.equal(await find('a'), 3);
});

test('no caller gets a value from before its call', async () => {
  const gate = Promise.withResolvers<void>();
  const { find, asked } = askable(() => gate.promise);
  const first = find('a');
  while (asked.length === 0) await setImmediate();
  const later = [find('a'), find('a')];
  gate.resolve();
  assert.equal(await first, 1);
  assert.deepEqual(await Promise.all(later), [2, 2]);
});

test('a failure rejects all callers of its batch and no others', async () => {
  let fail = true;
  const { find } = askable(async () => {
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

test('a key that is not worth asking is not looked up', async () => {
  const { find, asked } = askable();
  assert.equal(await find(''), undefined);
  assert.deepEqual(asked, []);
});

/** A look-up that answers how often it was asked. */
function askable(wait: () => Promise<void> = async () => {}) {
  const asked: string[] = [];
  const ask = async (keys: readonly string[]) => {
    const counts = new Map(keys.map((key) => [key, asked.push(key)]));
    await wait();
    return counts;
  };
  return { find: batchLoader(ask, { isWorthAsking: (key) => key !== '' }), asked };
}
