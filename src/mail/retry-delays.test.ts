import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryDelay, retryDelays } from './retry-delays.ts';

test('the delays before retries grow, and add up to three days', () => {
  for (const [index, delay] of retryDelays.entries()) assert.ok(delay >= (retryDelays[index - 1] ?? 0));
  const hours = retryDelays.reduce((sum, delay) => sum + delay, 0) / 3_600_000;
  assert.ok(Math.abs(hours - 72) < 0.2, `${hours} hours`);
});

test('a delay before a retry varies at random by up to a fifth', () => {
  assert.equal(
    retryDelay(1, () => 0),
    8_000,
  );
  assert.equal(
    retryDelay(1, () => 0.5),
    10_000,
  );
  assert.ok(retryDelay(1)! <= 12_000);
});

test('there is no retry after three days', () => {
  assert.ok(retryDelay(retryDelays.length));
  assert.equal(retryDelay(retryDelays.length + 1), undefined);
});
