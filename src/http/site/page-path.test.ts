import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partOf, pathOfPart, withoutPart } from './page-path.ts';

test('the part of a list is read from the query, and an invalid one is undefined', () => {
  assert.deepEqual(['', 'a=1', 'page=2', 'a=1&page=3', 'subpage=2'].map(partOf), [1, 1, 2, 3, 1]);
  assert.deepEqual(
    ['page=', 'page=0', 'page=02', 'page=x', 'page=%32', 'page=99999999'].map(partOf),
    Array(6).fill(undefined),
  );
  assert.equal(withoutPart('a=1&page=1&b=2'), 'a=1&b=2');
  assert.deepEqual([pathOfPart('/a', 1), pathOfPart('/a', 2)], ['/a', '/a?page=2']);
});
