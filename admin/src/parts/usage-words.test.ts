import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excessOf } from './usage-words.ts';

const usage = {
  pages: { used: 3, limit: null },
  people: { used: 2, limit: 5 },
  storage: { used: 3 * 2 ** 20, limit: null },
  domains: { used: 1, limit: null },
};

test("everything that exceeds another plan is listed, whatever the customer's own plan allows", () => {
  assert.deepEqual(excessOf(usage, { pages: 2, people: 1, storage: 1, domains: 0 }), [
    '3 of 2 pages',
    '2 of 1 person',
    '3 MB of 1 MB of images',
    '1 of 0 domains',
  ]);
});

test('a customer that exactly fills another plan does not exceed it', () => {
  assert.deepEqual(excessOf(usage, { pages: 3, people: null, storage: 3, domains: 1 }), []);
});
