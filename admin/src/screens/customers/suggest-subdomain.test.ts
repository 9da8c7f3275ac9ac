import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateSubdomain } from '../../../../src/accounts/subdomain.ts';
import { suggestSubdomain } from './suggest-subdomain.ts';

test('a customer’s name suggests a valid subdomain', () => {
  const names = [
    'Bäckerei Müller',
    "Carl's Café & Bar",
    '  Straße 7! ',
    'Łódź – Ærø',
    'O\u0308l Ünal',
    'x'.repeat(62) + ' y',
  ];
  const suggested = names.map(suggestSubdomain);
  assert.deepEqual(suggested, [
    'baeckerei-mueller',
    'carls-cafe-bar',
    'strasse-7',
    'lodz-aero',
    'oel-uenal',
    'x'.repeat(62),
  ]);
  assert.deepEqual(
    suggested.map(validateSubdomain),
    names.map(() => undefined),
  );
});

test('a customer’s name without Latin letters suggests no subdomain', () => {
  assert.equal(suggestSubdomain('東京'), '');
});
