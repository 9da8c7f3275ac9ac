import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, verifyPassword } from './password.ts';

test('one account that creates many users does not keep another waiting for all of them', async () => {
  let done = 0;
  const many = Array.from({ length: 40 }, () => hashPassword('one of very many', 1).then(() => done++));
  const hash = await hashPassword('the only one', 2);
  assert.ok(done < 10, `${done} came first`);
  await Promise.all(many);
  assert.equal(await verifyPassword(hash, 'the only one'), true);
  assert.equal(await verifyPassword(hash, 'one of very many'), false);
});
