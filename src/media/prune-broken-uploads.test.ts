import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chown, lutimes, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pruneBrokenUploads } from './prune-broken-uploads.ts';
import { UPLOAD_FOLDER } from './receive-upload.ts';

const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);

test('partial uploads of killed processes are deleted a day later', async () => {
  const folder = await mkdtemp(join(tmpdir(), UPLOAD_FOLDER));
  await writeFile(join(folder, 'upload'), 'half a photo');
  await pruneBrokenUploads();
  assert.ok(existsSync(folder), 'a recent upload may still be in progress');
  await utimes(folder, longAgo, longAgo);
  await pruneBrokenUploads();
  assert.ok(!existsSync(folder));
});

test('files, links and other users’ folders with the name of an upload are not deleted', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-elsewhere-'));
  const link = join(tmpdir(), `${UPLOAD_FOLDER}link-${process.pid}`);
  const file = join(tmpdir(), `${UPLOAD_FOLDER}file-${process.pid}`);
  t.after(() => Promise.all([folder, link, file].map((path) => rm(path, { recursive: true, force: true }))));
  await writeFile(join(folder, 'kept'), 'not an upload');
  await symlink(folder, link);
  await writeFile(file, 'not a folder');
  await utimes(folder, longAgo, longAgo);
  await lutimes(link, longAgo, longAgo);
  await utimes(file, longAgo, longAgo);
  const others = await mkdtemp(join(tmpdir(), UPLOAD_FOLDER));
  t.after(() => rm(others, { recursive: true, force: true }));
  // Only root can change the owner.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(others, 65534, 65534);
  if (isRoot) await utimes(others, longAgo, longAgo);
  await pruneBrokenUploads();
  for (const path of [join(folder, 'kept'), link, file, others]) assert.ok(existsSync(path), path);
});
