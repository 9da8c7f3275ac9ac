import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { hashPassword, verifyPassword } from './password.ts';

test('a password is what was hashed, and no other is', async () => {
  const hash = await hashPassword('the only one', 2);
  assert.equal(await verifyPassword(hash, 'the only one'), true);
  assert.equal(await verifyPassword(hash, 'one of very many'), false);
});

test('the threads that hash give way to the one that answers requests', {
  skip: process.platform !== 'linux',
}, async () => {
  await hashPassword('one of very many', 1);
  const threads = readdirSync('/proc/self/task').map((thread) => ({
    name: readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim(),
    niceness: getPriority(Number(thread)),
  }));
  const pool = threads.filter(({ name }) => name === 'libuv-worker');
  const others = threads.filter(({ name }) => name !== 'libuv-worker');
  const mine = getPriority(process.pid);
  assert.ok(pool.length > 0 && pool.every(({ niceness }) => niceness === 5), JSON.stringify(threads));
  assert.ok(
    others.every(({ niceness }) => niceness === mine),
    JSON.stringify(threads),
  );
});
