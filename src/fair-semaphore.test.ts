import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { FairSemaphore } from './fair-semaphore.ts';

/** Makes tasks that end when told to, and records which ones have begun and which have returned. */
function recordTasks(semaphore: FairSemaphore) {
  const begun: string[] = [];
  const wentOn: string[] = [];
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  return {
    begun,
    wentOn,
    take: (accountId: number, name: string) =>
      semaphore
        .run(() => {
          begun.push(name);
          const { promise, resolve, reject } = Promise.withResolvers<void>();
          ends.set(name, { resolve, reject });
          return promise;
        }, accountId)
        .then(() => wentOn.push(name)),
    end: async (name: string, error?: Error) => {
      const { resolve, reject } = ends.get(name)!;
      if (error) reject(error);
      else resolve();
      await setImmediate();
    },
  };
}

test('a semaphore runs no more tasks at once than its limit', async () => {
  const { begun, take, end } = recordTasks(new FairSemaphore(2));
  for (const name of ['a', 'b', 'c', 'd']) take(1, name);
  await setImmediate();
  assert.deepEqual(begun, ['a', 'b']);
  await end('b');
  assert.deepEqual(begun, ['a', 'b', 'c']);
  for (const name of ['a', 'c', 'd']) await end(name);
  for (const name of ['e', 'f', 'g']) take(1, name);
  await setImmediate();
  assert.deepEqual(begun.slice(4), ['e', 'f']);
});

test('a semaphore alternates between keys, so that one with many tasks does not delay others', async () => {
  const { begun, take, end } = recordTasks(new FairSemaphore(1));
  for (const name of ['many 1', 'many 2', 'many 3', 'many 4']) take(1, name);
  for (const name of ['few 1', 'few 2']) take(2, name);
  take(3, 'one');
  await setImmediate();
  for (let turn = 0; turn < 7; turn++) await end(begun.at(-1)!);
  assert.deepEqual(begun, ['many 1', 'few 1', 'one', 'many 2', 'few 2', 'many 3', 'many 4']);
});

test('finished tasks return in batches while others wait', async () => {
  const { wentOn, take, end } = recordTasks(new FairSemaphore(2, { batchSize: 3 }));
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) take(1, name);
  await setImmediate();
  await end('a');
  await end('b');
  assert.deepEqual(wentOn, []);
  await end('c');
  assert.deepEqual(wentOn, ['a', 'b', 'c']);
  // No tasks are queued any more, so finished tasks return at once.
  await end('d');
  assert.deepEqual(wentOn, ['a', 'b', 'c', 'd']);
  await end('f');
  await end('e');
  assert.deepEqual(wentOn, ['a', 'b', 'c', 'd', 'f', 'e']);
});

test('a failing task rejects its own caller, and the next task runs', async () => {
  const { begun, take, end } = recordTasks(new FairSemaphore(1));
  const refused = assert.rejects(take(1, 'a'), /out of memory/);
  const second = take(1, 'b');
  await setImmediate();
  await end('a', new Error('out of memory'));
  await refused;
  assert.deepEqual(begun, ['a', 'b']);
  await end('b');
  await second;
});

test('a task whose signal aborts leaves the queue and never begins', async () => {
  const semaphore = new FairSemaphore(1);
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const take = (name: string, key: number, signal?: AbortSignal) =>
    semaphore.run(
      async () => {
        begun.push(name);
        await end;
      },
      key,
      signal,
    );
  const leaving = new AbortController();
  const stays = [take('first', 1), take('second', 2)];
  const leaves = [take('gone', 1, leaving.signal), take('gone', 2, leaving.signal), take('gone', 3, leaving.signal)];
  leaving.abort(new Error('No longer.'));
  for (const left of leaves) await assert.rejects(left, /No longer/);
  await assert.rejects(take('too late', 1, leaving.signal), /No longer/);
  resolve();
  await Promise.all(stays);
  assert.deepEqual(begun, ['first', 'second']);
});

test('a key holds no more than its share, and other keys go on meanwhile', async () => {
  const { begun, take, end } = recordTasks(new FairSemaphore(Number.POSITIVE_INFINITY, { maxPerKey: 1 }));
  for (const name of ['many 1', 'many 2', 'many 3']) take(1, name);
  take(2, 'other');
  await setImmediate();
  assert.deepEqual(begun, ['many 1', 'other']);
  await end('many 1');
  assert.deepEqual(begun, ['many 1', 'other', 'many 2']);
});

test('running tasks never weigh more than the capacity, except a single task that is heavier', async () => {
  const { held, acquire, release } = recordWeights(new FairSemaphore(10));
  acquire(1, 6);
  acquire(2, 4);
  acquire(3, 1);
  await setImmediate();
  assert.deepEqual(held(), ['1:6', '2:4']);
  await release(1, 6);
  assert.deepEqual(held(), ['2:4', '3:1']);
  acquire(4, 11);
  await release(2, 4);
  assert.deepEqual(held(), ['3:1']);
  await release(3, 1);
  assert.deepEqual(held(), ['4:11']);
});

test('lighter tasks of other keys cannot overtake a heavy task forever', async () => {
  const { held, acquire, release } = recordWeights(new FairSemaphore(10));
  acquire(1, 6);
  acquire(2, 8);
  acquire(3, 2);
  await setImmediate();
  assert.deepEqual(held(), ['1:6']);
  await release(1, 6);
  assert.deepEqual(held(), ['2:8', '3:2']);
});

test('a key that holds nothing may exceed its share with one task, without delaying others', async () => {
  const { held, acquire, release } = recordWeights(new FairSemaphore(10, { maxPerKey: 5 }));
  acquire(1, 7);
  acquire(1, 1);
  acquire(2, 3);
  await setImmediate();
  assert.deepEqual(held(), ['1:7', '2:3']);
  await release(1, 7);
  assert.deepEqual(held(), ['2:3', '1:1']);
});

test('waiting tasks start when a heavier task before them leaves', async () => {
  const { held, acquire } = recordWeights(new FairSemaphore(10));
  const leaving = new AbortController();
  acquire(1, 6);
  const left = acquire(2, 8, leaving.signal);
  acquire(3, 4);
  leaving.abort(new Error('No longer.'));
  await assert.rejects(left, /No longer/);
  await setImmediate();
  assert.deepEqual(held(), ['1:6', '3:4']);
  await assert.rejects(acquire(4, 1, leaving.signal), /No longer/);
});

/** Acquires and releases weights, and records which ones are held. */
function recordWeights(semaphore: FairSemaphore) {
  const holding: string[] = [];
  return {
    held: () => holding,
    acquire: async (key: number, weight: number, signal?: AbortSignal) => {
      await semaphore.acquire(key, weight, signal);
      holding.push(`${key}:${weight}`);
    },
    release: async (key: number, weight: number) => {
      holding.splice(holding.indexOf(`${key}:${weight}`), 1);
      semaphore.release(key, weight);
      await setImmediate();
    },
  };
}

test("tryAcquire never overtakes waiting tasks, and counts towards its key's share", async () => {
  const semaphore = new FairSemaphore(3, { maxPerKey: 2 });
  assert.equal(semaphore.tryAcquire('a', 2), true);
  assert.equal(semaphore.tryAcquire('a', 1), false);
  assert.equal(semaphore.tryAcquire('b', 2), false);
  const waiting = semaphore.acquire('b', 2);
  assert.equal(semaphore.tryAcquire('c', 1), false);
  semaphore.release('a', 2);
  await waiting;
  assert.equal(semaphore.tryAcquire('c', 1), true);
});
