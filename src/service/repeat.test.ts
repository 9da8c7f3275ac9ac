import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currentTrace, takeTurnsAs } from '../db/connection-turns.ts';
import { newTraceId, Trace } from '../trace.ts';
import { repeat } from './repeat.ts';

const options = { intervalMs: 60_000, onError: () => {} };

test('work that is nudged while running runs once more, and never twice at once', async () => {
  const started: Array<() => void> = [];
  const work = repeat(() => new Promise<void>((resolve) => started.push(resolve)), options);
  work.nudge();
  work.nudge();
  work.nudge();
  assert.equal(started.length, 1);
  started[0]!();
  await new Promise(setImmediate);
  assert.equal(started.length, 2);
  started[1]!();
  await new Promise(setImmediate);
  assert.equal(started.length, 2);
  await work.stop();
});

test('work that has failed runs again', async () => {
  const errors: unknown[] = [];
  let count = 0;
  const fail = async () => {
    count += 1;
    throw new Error(`failure ${count}`);
  };
  const work = repeat(fail, { ...options, onError: (error) => errors.push(String(error)) });
  work.nudge();
  await new Promise(setImmediate);
  work.nudge();
  await work.stop();
  assert.deepEqual(errors, ['Error: failure 1', 'Error: failure 2']);
});

test('stop aborts the work and waits for it, and nothing starts afterwards', async () => {
  let count = 0;
  let isOver = false;
  const work = repeat(async (signal) => {
    count += 1;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    isOver = true;
  }, options);
  work.nudge();
  await work.stop();
  assert.ok(isOver);
  work.nudge();
  await work.stop();
  assert.equal(count, 1);
});

test('repeated work is not part of the trace of the request that nudges it', async () => {
  let trace: unknown = 'not done';
  const work = repeat(async () => {
    trace = currentTrace();
  }, options);
  takeTurnsAs(1, () => work.nudge(), new Trace(newTraceId()));
  await work.stop();
  assert.equal(trace, undefined);
});
