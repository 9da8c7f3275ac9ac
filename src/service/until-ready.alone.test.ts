import assert from 'node:assert/strict';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { untilReady } from './until-ready.ts';

/** Starts a worker that runs until it is ended. */
async function startIdleWorker(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-test-'));
  t.after(() => rm(folder, { recursive: true }));
  const exec = join(folder, 'idle.js');
  await writeFile(exec, 'setInterval(() => {}, 1000);');
  cluster.setupPrimary({ exec, execArgv: [], args: [] });
  const worker = cluster.fork();
  t.after(() => worker.process.kill('SIGKILL'));
  await once(worker, 'online');
  return worker;
}

test('a worker that is not ready within a minute is killed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const worker = await startIdleWorker(t);
  const ready = Promise.withResolvers<void>();
  const ended = once(worker, 'exit');
  ended.then(() => ready.reject(new Error('It has ended.')));
  const waiting = untilReady(worker, ready.promise);
  t.mock.timers.tick(59_999);
  assert.equal(worker.process.killed, false);
  t.mock.timers.tick(1);
  await assert.rejects(waiting, { code: 'unavailable', message: 'A new worker was not ready within 60 seconds.' });
  assert.deepEqual(await ended, [null, 'SIGKILL']);
});

test('a worker that ends by itself is not reported as too slow', async (t) => {
  const worker = await startIdleWorker(t);
  await assert.rejects(untilReady(worker, Promise.reject(new Error('It has ended.'))), /It has ended/);
});

test('a worker that is ready in time keeps running', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const worker = await startIdleWorker(t);
  await untilReady(worker, Promise.resolve());
  t.mock.timers.tick(60_000);
  assert.equal(worker.process.killed, false);
});
