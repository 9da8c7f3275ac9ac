import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { availableParallelism, getPriority } from 'node:os';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { hashPassword, verifyPassword } from './password.ts';

test('a hash verifies the password that it was computed from, and no other', async () => {
  const hash = await hashPassword('the only one', 2);
  assert.equal(await verifyPassword(hash, 'the only one', 1), true);
  assert.equal(await verifyPassword(hash, 'one of very many', 1), false);
});

test('a password is hashed as OWASP recommends: Argon2id with 19 MiB and two passes', async () => {
  assert.match(await hashPassword('the only one', 2), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('comparing with an invalid hash fails for its caller alone', async () => {
  const hash = await hashPassword('the only one', 2);
  const [wrong, right] = await Promise.allSettled([
    verifyPassword('no hash', 'the only one', 1),
    verifyPassword(hash, 'the only one', 1),
    ...Array.from({ length: 8 }, () => verifyPassword('no hash', 'the only one', 1)),
  ]);
  assert.match(String(wrong.status === 'rejected' && wrong.reason), /Decoding failed/);
  assert.deepEqual(right, { status: 'fulfilled', value: true });
  assert.equal(await verifyPassword(hash, 'the only one', 1), true);
});

test('many password checks from one network do not make other networks wait for all of them', async () => {
  const hash = await hashPassword('the only one', 2);
  let done = 0;
  const many = Array.from({ length: 40 }, async () => {
    await verifyPassword(hash, 'one of very many', '192.0.2.1');
    done += 1;
  });
  assert.equal(await verifyPassword(hash, 'the only one', '192.0.2.2'), true);
  assert.ok(done < 20, `${done} checks of the other network finished first`);
  await Promise.all(many);
});

test('hashing threads run at a lower priority than the main thread, whatever its niceness', {
  skip: process.platform !== 'linux',
}, async () => {
  const program = `
    import { readdirSync, readFileSync } from 'node:fs';
    import { getPriority } from 'node:os';
    import { hashPassword } from '${import.meta.resolve('./password.ts')}';
    await hashPassword('one of very many', 1);
    const threads = readdirSync('/proc/self/task').map((thread) => ({
      name: readFileSync('/proc/self/task/' + thread + '/comm', 'utf8').trim(),
      niceness: getPriority(Number(thread)),
    }));
    console.log(JSON.stringify(threads));`;
  const run = promisify(execFile);
  for (const nicer of [0, 1, 19]) {
    const { stdout } = await run('nice', ['-n', String(nicer), process.execPath, '-e', program]);
    const ownNiceness = Math.min(getPriority() + nicer, 19);
    const threads: Array<{ name: string; niceness: number }> = JSON.parse(stdout);
    const hashing = threads.filter(({ name }) => name === 'hash-passwords');
    const others = threads.filter(({ name }) => name !== 'hash-passwords');
    assert.ok(
      hashing.length > 0 && hashing.every(({ niceness }) => niceness === Math.min(ownNiceness + 5, 19)),
      stdout,
    );
    assert.ok(
      others.every(({ niceness }) => niceness === ownNiceness),
      stdout,
    );
  }
});

test('passwords are hashed by one thread per processor, at most four, and these do not keep the process alive', {
  skip: process.platform !== 'linux',
}, async () => {
  const program = `
    import { readdirSync, readFileSync } from 'node:fs';
    import { hashPassword } from '${import.meta.resolve('./password.ts')}';
    await Promise.all(Array.from({ length: 9 }, () => hashPassword('one of very many', 1)));
    const names = readdirSync('/proc/self/task').map((thread) => readFileSync('/proc/self/task/' + thread + '/comm', 'utf8'));
    console.log(names.filter((name) => name === 'hash-passwords\\n').length);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program]);
  assert.equal(Number(stdout), Math.min(availableParallelism(), 4));
});
