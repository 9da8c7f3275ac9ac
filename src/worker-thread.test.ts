import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setInterval } from 'node:timers/promises';
import { WorkerThread } from './worker-thread.ts';

const answering = import.meta.resolve('./serve-worker.js');

/** Starts a thread with the script, and records how often `onEnd` is called. */
function start(t: TestContext, answer: string, { limits = {}, first = '', serve = 'serveWorker' } = {}) {
  const ends: string[] = [];
  const script = `import { ${serve} } from '${answering}'; ${first} ${serve}(${answer});`;
  const thread = new WorkerThread<number, number>(
    new URL(`data:text/javascript,${encodeURIComponent(script)}`),
    { resourceLimits: limits },
    () => ends.push('ended'),
  );
  t.after(() => thread.end());
  return { thread, ends };
}

test('each request gets its own answer, or the error that was thrown for it', async (t) => {
  const { thread, ends } = start(
    t,
    '(asked) => { if (asked % 2) throw new RangeError("odd: " + asked); return asked * 2; }',
  );
  const all = Promise.allSettled([2, 3, 4, 5].map((asked) => thread.request(asked)));
  assert.equal(thread.waiting, 4);
  const settled = await all;
  assert.deepEqual(
    settled.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason))),
    [4, 'RangeError: odd: 3', 8, 'RangeError: odd: 5'],
  );
  assert.equal(thread.waiting, 0);
  assert.equal(await thread.request(6), 12);
  assert.deepEqual(ends, []);
});

/** Answers with the megabytes of the heap. For a positive number, it first makes that many megabytes of garbage. */
const litter = `(megabytes) => {
  if (megabytes > 0) Array.from({ length: megabytes * 32768 }, (_, index) => ({ index }));
  return getHeapStatistics().WHAT / 1024 / 1024;
}`;
const first = "import { getHeapStatistics } from 'node:v8';";

test('a request that leaves much garbage is followed by a garbage collection', async (t) => {
  const { thread } = start(t, litter.replace('WHAT', 'used_heap_size'), { first });
  const before = await thread.request(0);
  assert.ok((await thread.request(40)) > before + 30);
  const after = await thread.request(0);
  assert.ok(after < before + 5, `${before} MB, ${after} MB`);
});

test('a request that allocates very much is followed by returning memory to the system', async (t) => {
  const { thread } = start(t, litter.replace('WHAT', 'total_physical_size'), { first });
  const before = await thread.request(0);
  // A garbage collection alone would keep the grown space for new objects.
  await thread.request(220);
  const after = await thread.request(0);
  assert.ok(after < before + 5, `${before} MB, ${after} MB`);
});

test('an idle thread returns the memory by which its heap has grown', async (t) => {
  const { thread } = start(t, `${litter.replace('WHAT', 'total_physical_size')}, undefined, { idleMs: 1 }`, { first });
  const grown = await thread.request(17);
  for await (const _ of setInterval(10, undefined, { signal: t.signal })) {
    if ((await thread.request(0)) < grown - 16) return;
  }
});

test('concurrent answers may arrive in any order', async (t) => {
  const answer = '(asked) => { if (asked === 1) return later.promise; later.resolve(10); return asked; }';
  const first = 'const later = Promise.withResolvers();';
  const { thread } = start(t, answer, { first, serve: 'serveConcurrently' });
  const one = thread.request(1);
  assert.equal(await thread.request(2), 2);
  assert.equal(await one, 10);
});

test('a thread ends after five idle minutes, counted from its last answer', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { thread, ends } = start(t, '(asked) => asked');
  await thread.request(1);
  t.mock.timers.tick(5 * 60_000 - 1);
  await Promise.all([thread.request(2), thread.request(3)]);
  t.mock.timers.tick(5 * 60_000 - 1);
  assert.equal(thread.hasEnded, false);
  t.mock.timers.tick(1);
  assert.equal(thread.hasEnded, true);
  assert.deepEqual(ends, ['ended']);
});

test('a script that ends its thread rejects all waiting requests', async (t) => {
  const { thread, ends } = start(t, '() => process.exit()');
  const all = await Promise.allSettled([thread.request(1), thread.request(2)]);
  assert.deepEqual(
    all.map((each) => each.status === 'rejected' && each.reason.message),
    ['The thread has ended.', 'The thread has ended.'],
  );
  assert.deepEqual([thread.hasEnded, ends], [true, ['ended']]);
});

test('all waiting requests are rejected with the reason why the thread ended', async (t) => {
  const { thread, ends } = start(t, '(asked) => { const all = []; for (;;) all.push([asked]); }', {
    limits: { maxOldGenerationSizeMb: 48 },
  });
  const all = await Promise.allSettled([thread.request(1), thread.request(2)]);
  for (const each of all) {
    assert.equal(each.status === 'rejected' && each.reason.code, 'ERR_WORKER_OUT_OF_MEMORY');
  }
  assert.equal(thread.hasEnded, true);
  assert.deepEqual(ends, ['ended']);
});
