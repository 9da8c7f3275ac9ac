import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { forgetBrokenUploads } from './forget-broken-uploads.ts';
import { UPLOAD_FOLDER } from './receive-upload.ts';

test('what a process that was killed had received is deleted a day later', async () => {
  const folder = await mkdtemp(join(tmpdir(), UPLOAD_FOLDER));
  await writeFile(join(folder, 'upload'), 'half a photo');
  await forgetBrokenUploads();
  assert.ok(existsSync(folder), 'it may still be on its way');
  const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
  await utimes(folder, longAgo, longAgo);
  await forgetBrokenUploads();
  assert.ok(!existsSync(folder));
});
