import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalAddress } from './normal-address.ts';

test('all spellings of an address have one normal form', () => {
  for (const [expected, ...spellings] of [
    ['/about', '/About/', '//about', '/%61bout'],
    ['/about_us.html', '/About_Us.html', '/about%5Fus.html'],
    ['/über-uns', '/Über-uns', '/%C3%9Cber-uns/', '/U%CC%88ber-uns', '/%c3%bcber-uns'],
    ['/my%20page', '/my%20page'],
    ['/100%25', '/100%', '/100%25'],
    ['/a%2fb', '/a%2Fb'],
    ['/a,b(c)+d', '/a,b(c)+d', '/a%2Cb%28c%29%2Bd'],
    ['/日本', '/%E6%97%A5%E6%9C%AC'],
    ['/a%7cb', '/a|b', '/a%7Cb'],
    ['/%e2%80%aex', '/%E2%80%AEx'],
  ]) {
    for (const spelling of [expected!, ...spellings]) assert.equal(normalAddress(spelling), expected, spelling);
  }
});

test('the order and the encoding of a query do not matter, but the case of its letters does', () => {
  for (const [path, query, expected] of [
    ['/', 'p=123', '/?p=123'],
    ['/index.php', 'page=3&id=Ab', '/index.php?id=Ab&page=3'],
    ['/index.php', '&id=Ab&&page=3', '/index.php?id=Ab&page=3'],
    ['/a', 'q=caf%C3%A9+x', '/a?q=café%20x'],
    ['/a', 'x=%26%3D', '/a?x=%26%3D'],
    ['/a', '&', '/a'],
    ['/', 'p=1&fbclid=IwAR0&utm_source=news&UTM_Medium=mail', '/?p=1'],
    ['/a', 'gclid=1', '/a'],
    ['/a', 'gclid&utm=1', '/a?gclid&utm=1'],
  ] as const) {
    assert.equal(normalAddress(path, query), expected);
    const [again, sorted] = expected.split('?');
    assert.equal(normalAddress(again!, sorted), expected);
  }
});

test('a text that no address can have has no normal form', () => {
  for (const path of [
    '',
    'a',
    '*',
    '/a b',
    '/a\\b',
    '/a#b',
    '/../a',
    '/%2e%2e/a',
    '/.well-known/x',
    '/a%00',
    '/%FF',
    '/é\n',
  ])
    assert.equal(normalAddress(path), undefined, path);
  for (const query of ['a=%FF', 'a=%0A', 'a b', `a=${'b'.repeat(2000)}`])
    assert.equal(normalAddress('/a', query), undefined, query);
  assert.equal(normalAddress(`/${'_'.repeat(2000)}`), undefined);
});
