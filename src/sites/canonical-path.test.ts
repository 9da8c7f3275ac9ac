import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalPath } from './canonical-path.ts';

test('a canonical path is its own canonical path', () => {
  for (const path of ['/', '/a', '/a/b-2', '/robots.txt', '/sitemap-2.xml', '/-/inter-latin.abc123.woff2']) {
    assert.equal(canonicalPath(path), path);
  }
});

test('a path that no page can have has no canonical form, however it is written', () => {
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

test('a long path that no page can have is refused in little time', () => {
  for (const path of [
    `/${'a'.repeat(19_000)}!`,
    `/${'-/'.repeat(9000)}!`,
    `${'/'.repeat(19_000)}!`,
    '%41'.repeat(6000),
  ]) {
    assert.equal(canonicalPath(path), undefined);
  }
});
