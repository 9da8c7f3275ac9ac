import assert from 'node:assert/strict';
import { test } from 'node:test';
import { money, setCurrency } from './money.ts';

test('amounts have two decimals, and the account’s currency if it has one', () => {
  assert.equal(money(1234.5), '1,234.50');
  setCurrency('EUR');
  assert.equal(money(1234.5), '€1,234.50');
  setCurrency('CHF');
  assert.match(money(49), /^CHF.49\.00$/);
  setCurrency('JPY');
  assert.match(money(49), /¥49\.00$/);
  setCurrency(null);
  assert.equal(money(-3), '-3.00');
});
