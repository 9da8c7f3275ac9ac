import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceInput } from './price-input.ts';

test('a comma before the cents of a price becomes a point, and other commas stay', () => {
  assert.deepEqual(['19,90', ' 49,5 ', '49.00', '1490'].map(priceInput), ['19.90', '49.5', '49.00', '1490']);
  assert.deepEqual(['1,490', '1.490,00', '1,490.00', 'nine'].map(priceInput), [
    '1,490',
    '1.490,00',
    '1,490.00',
    'nine',
  ]);
});
