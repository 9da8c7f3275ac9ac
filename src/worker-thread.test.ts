import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { WorkerThread } from './worker-thread.ts';

const answering = import.meta.resolve('./serve-worker.js');

/** A thread that runs the script, and how often it has said that it ended. */
function start(t: TestContext, answer: string, { limits = {}, first = '' } = {}) {
  const ends: string[] = [];
  const script = `import { serveWorker } from '${answering}'; ${first} serveWorker(${answer});`;
  const thread = new WorkerThread<number, number>(
    new URL(`data:text/javascript,${encodeURIComponent(script)}`),
    { resourceLimits: limits },
    () => ends.push('ended'),
  );
  t.after(() => thread.end());
  return { thread, ends };
}

test('each gets the answer to what they asked, or what was thrown for them', async (t) => {
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

test('work after an answer is done before the next answer, even after an error', async (t) => {
  const answer =
    '(asked) => { if (asked === 2) throw new Error("two"); return count; }, () => [], () => { count += 1; }';
  const { thread } = start(t, answer, { first: 'let count = 0;' });
  const [first, second, third] = await Promise.allSettled([1, 2, 3].map((asked) => thread.request(asked)));
  assert.deepEqual([first, second!.status], [{ status: 'fulfilled', value: 0 }, 'rejected']);
  assert.deepEqual(third, { status: 'fulfilled', value: 2 });
});

test('it ends when it has had nothing to do for five minutes, counted from its last answer', async (t) => {
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

test('a script that ends its thread leaves nobody waiting', async (t) => {
  const { thread, ends } = start(t, '() => process.exit()');
  const all = await Promise.allSettled([thread.request(1), thread.request(2)]);
  assert.deepEqual(
    all.map((each) => each.status === 'rejected' && each.reason.message),
    ['The thread has ended.', 'The thread has ended.'],
  );
  assert.deepEqual([thread.hasEnded, ends], [true, ['ended']]);
});

test('everybody who waits is told why it came to its end', async (t) => {
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
