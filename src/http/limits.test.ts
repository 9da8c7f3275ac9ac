import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MemoryCounter, RateLimit, WINDOW_MS } from './limits.ts';

for (const [name, limit, processes] of [
  ['of one process', 3, 1],
  // Each process takes shares of two.
  ['of several processes', 80, 2],
] as const) {
  test(`the rate limit ${name} starts again after a minute`, async (t) => {
    const { useUp, pass } = start(t, limit, processes);
    assert.deepEqual(await useUp(), { allowed: limit, resetIn: 60 });
    pass(WINDOW_MS - 1);
    assert.deepEqual(await useUp(), { allowed: 0, resetIn: 1 });
    pass(1);
    assert.deepEqual(await useUp(), { allowed: limit, resetIn: 60 });
  });

  test(`the rate limit ${name} starts again if the clock was set back`, async (t) => {
    const { useUp, pass } = start(t, limit, processes);
    await useUp();
    pass(-60 * WINDOW_MS);
    // It is unknown how much of the minute was left.
    assert.deepEqual(await useUp(), { allowed: limit, resetIn: 60 });
    pass(WINDOW_MS);
    assert.deepEqual(await useUp(), { allowed: limit, resetIn: 60 });
  });
}

/**
 * Starts a rate limit and a clock that can be moved. `useUp` takes requests until one is refused, and returns how many were
 * allowed.
 */
function start(t: TestContext, limit: number, processes: number) {
  t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
  const rateLimit = new RateLimit('key', limit, new MemoryCounter(), processes);
  const useUp = async () => {
    for (let allowed = 0; ; allowed++) {
      const verdict = await rateLimit.take('1');
      if (!verdict.isAllowed) return { allowed, resetIn: verdict.resetIn };
    }
  };
  return { useUp, pass: (time: number) => t.mock.timers.setTime(Date.now() + time) };
}
