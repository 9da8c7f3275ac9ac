import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccountSemaphore } from './account-semaphore.ts';

/** Returns a semaphore, and the order in which tasks have started. */
function start(capacity: number, options = {}) {
  const semaphore = new AccountSemaphore(capacity, options);
  const started: string[] = [];
  const acquire = (topLevelId: number, customerId: number, weight = 1, signal?: AbortSignal) =>
    semaphore
      .acquire({ topLevelId, customerId }, weight, signal)
      .then(() => void started.push(`${topLevelId}.${customerId}`));
  const release = (topLevelId: number, customerId: number, weight = 1) =>
    semaphore.release({ topLevelId, customerId }, weight);
  /** Lets every task start that may. */
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { acquire, release, started, settle };
}

test('top-level accounts take turns, and so do the customers of each', async () => {
  const { acquire, release, started, settle } = start(1);
  const tasks = [
    [1, 11],
    [1, 11],
    [1, 12],
    [2, 21],
  ] as const;
  const all = Promise.all(tasks.map(([topLevelId, customerId]) => acquire(topLevelId, customerId)));
  for (const _ of tasks) {
    await settle();
    const [topLevelId = 0, customerId = 0] = started.at(-1)!.split('.').map(Number);
    release(topLevelId, customerId);
  }
  await all;
  assert.deepEqual(started, ['1.11', '2.21', '1.12', '1.11']);
});

test('a top-level account and a customer get at most their shares, except for a single heavier task', async () => {
  const { acquire, release, started, settle } = start(10, { maxPerTopLevel: 6, maxPerCustomer: 3 });
  void acquire(1, 11, 4);
  void acquire(1, 11);
  void acquire(1, 12, 2);
  void acquire(1, 13);
  void acquire(2, 21, 4);
  await settle();
  assert.deepEqual(started, ['1.11', '1.12', '2.21']);
  release(1, 11, 4);
  await settle();
  assert.deepEqual(started.slice(3).sort(), ['1.11', '1.13']);
});

test('a task that stops waiting leaves its share to the others', async () => {
  const { acquire, release, started, settle } = start(1);
  await acquire(1, 11);
  const leaving = new AbortController();
  const left = assert.rejects(acquire(2, 21, 1, leaving.signal), /gone/);
  void acquire(2, 22);
  await settle();
  leaving.abort(new Error('gone'));
  await left;
  release(1, 11);
  await settle();
  assert.deepEqual(started, ['1.11', '2.22']);
});
