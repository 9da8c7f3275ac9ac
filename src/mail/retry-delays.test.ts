import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryDelay, retryDelays } from './retry-delays.ts';

test('the delays grow, and come to three days in all', () => {
  for (const [index, delay] of retryDelays.entries()) assert.ok(delay >= (retryDelays[index - 1] ?? 0));
  const hours = retryDelays.reduce((sum, delay) => sum + delay, 0) / 3_600_000;
  assert.ok(Math.abs(hours - 72) < 0.2, `${hours} hours`);
});

test('a delay is up to a fifth shorter or longer, by chance', () => {
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

test('after three days there is no other attempt', () => {
  assert.ok(retryDelay(retryDelays.length));
  assert.equal(retryDelay(retryDelays.length + 1), undefined);
});
