import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, newSecret, secretUri, stepOfCode } from './totp.ts';

/** `12345678901234567890`, the secret of RFC 6238's examples. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test('codes match the examples of RFC 6238, appendix B', () => {
  const codes = [59, 1111111109, 1111111111, 1234567890, 2000000000, 20000000000].map((seconds) =>
    codeOf(SECRET, Math.floor(seconds / 30)),
  );
  assert.deepEqual(codes, ['287082', '081804', '050471', '005924', '279037', '353130']);
});

test('a code is valid in its time step and for clocks that are one step off, and no longer', () => {
  const step = Math.floor(1111111109 / 30);
  const after = (steps: number) => stepOfCode(SECRET, '081804', (step + steps) * 30_000);
  assert.deepEqual([-2, -1, 0, 1, 2].map(after), [undefined, step, step, step, undefined]);
  assert.equal(stepOfCode(SECRET, '', 59_000), undefined);
});

test('a secret is 160 random bits in base32, and its URI escapes the account name', () => {
  const secret = newSecret();
  assert.match(secret, /^[A-Z2-7]{32}$/);
  assert.notEqual(newSecret(), secret);
  assert.equal(
    secretUri(SECRET, { issuer: 'admin.example', name: 'ann+web@example.com' }),
    `otpauth://totp/admin.example:ann%2Bweb%40example.com?secret=${SECRET}&issuer=admin.example`,
  );
});
