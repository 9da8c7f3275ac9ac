import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
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

test('who is done while others wait goes on together with the next ones to be done', async () => {
  let done = 0;
  const all = Array.from({ length: 8 }, () => hashPassword('one of a few', 1).then(() => done++));
  await Promise.race(all);
  await setImmediate();
  assert.ok(done >= 5, `${done} alone`);
  await Promise.all(all);
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
