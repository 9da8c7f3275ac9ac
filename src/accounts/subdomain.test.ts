import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalSubdomain, validateSubdomain } from './subdomain.ts';

test('a subdomain is kept in lower case; what has other than ASCII does not turn into one', () => {
  assert.equal(normalSubdomain(' Acme-2 '), 'acme-2');
  for (const text of ['ACME\u212a', '\u0130x', 'a_B']) {
    assert.deepEqual(validateSubdomain(normalSubdomain(text)), { code: 'not_a_subdomain' });
  }
});

test('a subdomain of megabytes is refused without blocking other requests', () => {
  // Whatever looked at each character more than a few times would not end before the test is given up.
  const text = 'aA'.repeat(8_000_000);
  assert.deepEqual(validateSubdomain(normalSubdomain(text)), { code: 'too_long', params: { max: 63 } });
});
