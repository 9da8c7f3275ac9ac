import assert from 'node:assert/strict';
import { test } from 'node:test';
import { between } from './between.ts';

test('a click with the shift key selects all items from the last clicked one, in both directions', () => {
  const items = [4, 9, 2, 7].map((id) => ({ id }));
  assert.deepEqual(between(items, 9, 7), [9, 2, 7]);
  assert.deepEqual(between(items, 7, 9), [9, 2, 7]);
  assert.deepEqual(between(items, undefined, 2), [2]);
  assert.deepEqual(between(items, 5, 2), [2]);
});
