import assert from 'node:assert/strict';
import { test } from 'node:test';
import { words } from './words.ts';

test('the text without revenue proposes a next step that depends on the number of customers', () => {
  assert.match(words.emptyText(0), /Create a customer on a plan with a price\.$/);
  assert.match(words.emptyText(1), /1 customer pays nothing yet: put it on a plan with a price\.$/);
  assert.match(words.emptyText(2), /2 customers pay nothing yet: put them on a plan with a price\.$/);
});
