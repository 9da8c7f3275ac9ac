import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Checkpoints } from './sqlite-checkpoints.ts';

test('the checkpoint thread copies the log into the database file, and no commit does', async (t) => {
  const { checkpoints, write, log } = await start(t, { maxUncopiedPages: 100 });
  write(50);
  checkpoints.onCommit();
  await checkpoints.idle();
  assert.equal(log().checkpointed, 0);
  write(100);
  assert.equal(log().checkpointed, 0);
  checkpoints.onCommit();
  await checkpoints.idle();
  assert.equal(log().checkpointed, log().log);
});

test('the log starts over, even if it is written to without a break', async (t) => {
  const { checkpoints, write, log } = await start(t, { maxUncopiedPages: 100, maxLogPages: 400, pagesBeforeRetry: 50 });
  let restarts = 0;
  for (let before = 0; restarts < 3; ) {
    await checkpoints.pause;
    write(20);
    const { log: now } = log();
    if (now < before) restarts += 1;
    before = now;
    checkpoints.onCommit();
    await setImmediate();
  }
});

test('a checkpoint neither fails nor blocks writers while a reader holds an old snapshot', async (t) => {
  const { checkpoints, write, log, file } = await start(t, {
    maxUncopiedPages: 100,
    maxLogPages: 100,
    pagesBeforeRetry: 50,
  });
  write(50);
  const reader = new DatabaseSync(file);
  t.after(() => reader.close());
  reader.exec('begin; select count(*) from things');
  write(200);
  checkpoints.onCommit();
  await checkpoints.idle();
  assert.ok(log().checkpointed < log().log);
  assert.equal(checkpoints.pause, undefined);
  reader.exec('commit');
  write(100);
  checkpoints.onCommit();
  await checkpoints.idle();
  assert.equal(log().checkpointed, log().log);
});

async function start(t: TestContext, limits: ConstructorParameters<typeof Checkpoints>[2]) {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-test-'));
  const file = join(folder, 'test.db');
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table things (text text)');
  const checkpoints = new Checkpoints(file, database, limits);
  t.after(async () => {
    await checkpoints.end();
    database.close();
    await rm(folder, { recursive: true });
  });
  const insert = database.prepare('insert into things values (?)');
  const length = database.prepare('pragma wal_checkpoint(noop)');
  return {
    file,
    checkpoints,
    /** Writes a number of pages in one transaction. */
    write: (pages: number) => insert.run('x'.repeat(pages * 4096)),
    log: () => length.get() as { log: number; checkpointed: number },
  };
}
