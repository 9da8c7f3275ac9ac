import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalPath, partOf, pathOfPart, withoutPart } from './page-path.ts';

test('a canonical path is its own canonical path', () => {
  for (const path of ['/', '/a', '/a/b-2', '/robots.txt', '/sitemap-2.xml', '/-/inter-latin.abc123.woff2']) {
    assert.equal(canonicalPath(path), path);
  }
});

test('a path that no page can have is not found, however it is written', () => {
  for (const path of [
    '',
    'a',
    '*',
    '/a b',
    '/a\\b',
    '/a%20b',
    '/%2e%2e/a',
    '/../a',
    '/a%00',
    '/é',
    '/%ff',
    '/a%2Fb',
    '/.well-known/x',
  ]) {
    assert.equal(canonicalPath(path), undefined, path);
  }
});

test('any path takes little time', () => {
  for (const path of [
    `/${'a'.repeat(19_000)}!`,
    `/${'-/'.repeat(9000)}!`,
    `${'/'.repeat(19_000)}!`,
    '%41'.repeat(6000),
  ]) {
    assert.equal(canonicalPath(path), undefined);
  }
});

test('a query names a part, no part, or one that cannot be', () => {
  assert.deepEqual(['', 'a=1', 'page=2', 'a=1&page=3', 'subpage=2'].map(partOf), [1, 1, 2, 3, 1]);
  assert.deepEqual(
    ['page=', 'page=0', 'page=02', 'page=x', 'page=%32', 'page=99999999'].map(partOf),
    Array(6).fill(undefined),
  );
  assert.equal(withoutPart('a=1&page=1&b=2'), 'a=1&b=2');
  assert.deepEqual([pathOfPart('/a', 1), pathOfPart('/a', 2)], ['/a', '/a?page=2']);
});
