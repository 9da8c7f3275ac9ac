import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { picture } from '../../test/images.ts';
import { ImageMaker } from './image-maker.ts';

test('an image is made by a new process where the one before has been ended, as for want of memory', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-test-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'original');
  await picture(40, 20).png().toFile(path);
  const processes: ChildProcess[] = [];
  const onStart = (message: unknown) => processes.push((message as { process: ChildProcess }).process);
  subscribe('child_process', onStart);
  t.after(() => unsubscribe('child_process', onStart));
  const maker = new ImageMaker();
  t.after(() => maker.close());

  const make = () => maker.make({ path, kind: 'png', hash: 'a'.repeat(64), folder });
  const made = await make();
  // Whichever of the two comes first, the process is no more.
  for (const news of ['exit', 'disconnect']) {
    const child = processes.at(-1)!;
    child.kill('SIGKILL');
    // It has nothing to do, and keeps nobody from ending.
    child.ref();
    child.channel?.ref();
    await once(child, news);
    assert.deepEqual(await make(), made);
  }
  assert.deepEqual(await make(), made);
  assert.equal(processes.length, 3, 'one that is still there is used again');
});
