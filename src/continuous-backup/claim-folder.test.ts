import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { claimFolder, releaseFolder } from './claim-folder.ts';

const IN_USE = { message: /another service \(one\) has copied/ };

test('a folder that one service copies to is refused to another service for a minute', async (t) => {
  const folder = await makeFolder(t);
  await claimFolder(folder, 'one', 0);
  await assert.rejects(claimFolder(folder, 'two', 59_999), IN_USE);
  await claimFolder(folder, 'one', 50_000);
  await assert.rejects(claimFolder(folder, 'two', 60_000), IN_USE);
  await claimFolder(folder, 'two', 110_000);
});

test('only the service that has claimed a folder can release it', async (t) => {
  const folder = await makeFolder(t);
  await claimFolder(folder, 'one', 0);
  await releaseFolder(folder, 'two');
  await assert.rejects(claimFolder(folder, 'two', 0), IN_USE);
  await releaseFolder(folder, 'one');
  assert.deepEqual(await readdir(folder), []);
  await claimFolder(folder, 'two', 0);
});

test('a damaged claim is ignored, and a missing folder is not refused', async (t) => {
  const folder = await makeFolder(t);
  await claimFolder(join(folder, 'missing'), 'one');
  for (const text of ['', '{', 'null', '{"owner":"one"}']) {
    await writeFile(join(folder, 'in-use.json'), text);
    await claimFolder(folder, 'two');
  }
  // A claim from a clock that was wrong.
  await claimFolder(folder, 'two', Date.now() + 1e9);
  await claimFolder(folder, 'one');
});

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-claim-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
