import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ownPath } from '../admin/src/own-path.ts';

const origin = 'https://sites.example';

test('ownPath returns a same-origin path unchanged, with its query', () => {
  for (const path of [
    '/pages',
    '/pages/12',
    '/settings/you?a=b&c',
    '/pages?q=a%2F%2Fb',
    '/',
    '/pages//12',
    '/%2F/evil',
  ]) {
    assert.equal(ownPath(path, origin, '/pages'), path);
  }
  assert.equal(ownPath(`${origin}/settings/you`, origin, '/pages'), '/settings/you');
  assert.equal(ownPath('/pages/../settings/you#token=x', origin, '/pages'), '/settings/you');
});

test('ownPath returns the other path for an address that leads to another host', () => {
  for (const address of [
    null,
    '',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '\t//evil.example',
    '/\n/evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/./\\evil.example',
    '/.\\/evil.example',
    '/..//evil.example',
    '/../..//evil.example',
    '/%2e//evil.example',
    '/%2e%2e//evil.example',
    '/pages/..//evil.example',
    '/pages/%2E%2E//evil.example',
    '/pages/..\t//evil.example',
    './/evil.example/',
    '..//evil.example',
    'https://evil.example/pages',
    'http:evil.example',
    'http:/\\evil.example',
    'http://sites.example/pages',
    'https://sites.example@evil.example/pages',
    'https://sites.example.evil.example/pages',
    'https://sites.example:444/pages',
    'https://sites.example//evil.example',
    'https://user:password@sites.example//evil.example',
    'javascript:alert(1)',
    'JavaScript:alert(1)//https://sites.example/',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'blob:https://sites.example/x',
    'https://',
  ]) {
    assert.equal(ownPath(address, origin, '/pages'), '/pages', String(address));
  }
});

test('a path that ownPath returns never leads to another origin, whatever the address', () => {
  const part = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '%2e',
    '\t',
    '@',
    ':',
    '?',
    '#',
    'evil.example',
    'https:',
    ' ',
    'a',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const path = ownPath(parts.join(''), origin, '/pages');
      return path.startsWith('/') && new URL(path, origin).origin === origin;
    }),
    { numRuns: 5000 },
  );
});
