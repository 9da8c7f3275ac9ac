import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalSubdomain, validateSubdomain } from './subdomain.ts';

test('a subdomain is stored in lower case, and text with non-ASCII letters is not turned into one', () => {
  assert.equal(normalSubdomain(' Acme-2 '), 'acme-2');
  for (const text of ['ACME\u212a', '\u0130x', 'a_B']) {
    assert.deepEqual(validateSubdomain(normalSubdomain(text)), { code: 'not_a_subdomain' });
  }
});

test('a subdomain of megabytes is refused without blocking other requests', () => {
  // Code that looks at each character more than a few times would exceed the test's timeout.
  const text = 'aA'.repeat(8_000_000);
  assert.deepEqual(validateSubdomain(normalSubdomain(text)), { code: 'too_long', params: { max: 63 } });
});
