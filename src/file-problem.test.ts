import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileProblemOf } from './file-problem.ts';

const problemOf = (attempt: Promise<unknown>) => attempt.then(() => undefined, fileProblemOf);

test('file errors of the system are worded with their paths', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-test-'));
  t.after(() => rm(folder, { recursive: true }));
  const [file, missing] = [join(folder, 'file'), join(folder, 'missing')];
  await writeFile(file, '');
  assert.equal(await problemOf(readFile(missing)), `"${missing}" does not exist`);
  assert.equal(await problemOf(readdir(missing)), `"${missing}" does not exist`);
  assert.equal(await problemOf(readFile(folder)), `"${folder}" is a folder`);
  // Node's error lacks the path here.
  const read = async () => readFileSync(folder);
  assert.equal(await problemOf(read()), 'it is a folder');
  assert.equal(await read().catch((error) => fileProblemOf(error, folder)), `"${folder}" is a folder`);
  assert.equal(
    await problemOf(mkdir(join(file, 'below'))),
    `a part of "${join(file, 'below')}" is a file, not a folder`,
  );
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
  assert.equal(fileProblemOf(full), 'the disk is full. Free some space');
  const other = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' });
  assert.equal(fileProblemOf(other), 'EIO: i/o error, read');
  const socket = Object.assign(new Error('connect EACCES /run/db'), { code: 'EACCES', syscall: 'connect' });
  assert.equal(fileProblemOf(socket), 'connect EACCES /run/db');
  assert.equal(fileProblemOf(new Error('another')), 'another');
});
