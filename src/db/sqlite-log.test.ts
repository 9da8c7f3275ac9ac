import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { type LoggedChanges, SqliteLog } from './sqlite-log.ts';

const PAGE_BYTES = 4096;

describe("SQLite's log", () => {
  test('the log is followed without a gap while other connections make checkpoints and when it starts over', async (t) => {
    const { file, database, write, header } = await start(t);
    const random = randomFrom(t);
    const log = new SqliteLog(file);
    const copy = await copyOf(file);
    const headers = new Set<string>();
    for (let round = 0; round < 800; round++) {
      write(1 + Math.floor(random() * 10));
      const mode = ['passive', 'full', 'restart', 'truncate'][Math.floor(random() * 4)];
      if (random() < 0.1) database.exec(`pragma wal_checkpoint(${mode})`);
      if (random() < 0.3) {
        copy.take(log, log.changes());
        log.advance();
      }
      if (random() < 0.05) log.restart(1000, (changes) => copy.take(log, changes));
      headers.add(await header());
    }
    copy.take(log, log.changes());
    log.advance();
    log.close();
    assert.ok(headers.size > 5, `the log started over ${headers.size} times`);
    assert.deepEqual(await copy.rows(), rowsOf(database));
  });

  test('changes that were abandoned are returned again, together with later ones', async (t) => {
    const { file, database, write } = await start(t);
    const log = new SqliteLog(file);
    const copy = await copyOf(file);
    write(5);
    assert.ok(log.changes().frames.size > 0);
    log.abandon();
    write(5);
    database.exec('pragma wal_checkpoint(restart)');
    write(5);
    copy.take(log, log.changes());
    log.advance();
    assert.equal(log.changes().frames.size, 0);
    log.close();
    assert.deepEqual(await copy.rows(), rowsOf(database));
  });

  test('the log has no changes of a transaction that is rolled back', async (t) => {
    const { file, database, write } = await start(t);
    const log = new SqliteLog(file);
    const copy = await copyOf(file);
    // More than the cache holds, so that pages go to the log before the transaction ends.
    database.exec('pragma cache_size = 10; begin');
    database.prepare('insert into things values (?)').run('x'.repeat(100 * PAGE_BYTES));
    assert.equal(log.changes().frames.size, 0);
    log.advance();
    database.exec('rollback');
    write(3);
    copy.take(log, log.changes());
    log.advance();
    log.close();
    assert.deepEqual(await copy.rows(), rowsOf(database));
  });

  test('the log starts over on request, unless too much is left to read while writers wait', async (t) => {
    const { file, database, write, header } = await start(t);
    const log = new SqliteLog(file);
    const copy = await copyOf(file);
    write(20);
    const keep = (changes: LoggedChanges) => copy.take(log, changes);
    const before = await header();
    assert.equal(log.restart(10, keep), false);
    write(1);
    assert.equal(await header(), before);
    assert.equal(log.restart(100, keep), true);
    assert.deepEqual(log.measure().pages, log.measure().copied);
    write(1);
    assert.notEqual(await header(), before);
    copy.take(log, log.changes());
    log.advance();
    log.close();
    assert.deepEqual(await copy.rows(), rowsOf(database));
  });

  test('the log can start over again once its follower has released it', async (t) => {
    const { file, database, write, header } = await start(t);
    const log = new SqliteLog(file);
    write(5);
    log.changes();
    log.advance();
    write(5);
    const before = await header();
    database.exec('pragma wal_checkpoint(restart)');
    write(1);
    assert.equal(await header(), before);
    log.release();
    database.exec('pragma wal_checkpoint(restart)');
    write(1);
    assert.notEqual(await header(), before);
    assert.equal(log.isHeld, false);
    assert.throws(() => log.changes(), /not held/);
    log.close();
  });

  test('a log with a wrong checksum is reported as damaged, and not followed', async (t) => {
    const { file, write } = await start(t);
    const log = new SqliteLog(file);
    write(5);
    const bytes = await readFile(`${file}-wal`);
    bytes[bytes.length - 100]! ^= 1;
    await writeFile(`${file}-wal`, bytes);
    assert.throws(() => log.changes(), /checksum of its frame \d+ is wrong/);
    log.close();
  });
});

async function start(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-test-'));
  const file = join(folder, 'test.db');
  const database = new DatabaseSync(file, { timeout: 0 });
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = off; pragma wal_autocheckpoint = 0; create table things (text text)',
  );
  t.after(async () => {
    database.close();
    await rm(folder, { recursive: true });
  });
  const insert = database.prepare('insert into things values (?)');
  let count = 0;
  return {
    file,
    database,
    /** Writes a number of pages in one transaction. */
    write: (pages: number) => insert.run(`${count++}`.padEnd(pages * PAGE_BYTES, 'x')),
    header: async () => (await buffer(createReadStream(`${file}-wal`, { end: 31 }))).toString('hex'),
  };
}

/** Makes a copy of the database, to which changes can be applied. */
async function copyOf(file: string) {
  const target = `${file}.copy`;
  const source = new DatabaseSync(file);
  await backup(source, target);
  source.close();
  let bytes = await readFile(target);
  return {
    take(log: SqliteLog, { frames, databasePages }: LoggedChanges) {
      if (frames.size === 0) return;
      const next = Buffer.alloc(databasePages * PAGE_BYTES);
      bytes.copy(next);
      for (const [number, frame] of frames) log.readPage(frame).copy(next, (number - 1) * PAGE_BYTES);
      bytes = next;
    },
    async rows() {
      await writeFile(target, bytes);
      const copy = new DatabaseSync(target);
      assert.deepEqual({ ...copy.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' });
      const rows = rowsOf(copy);
      copy.close();
      return rows;
    },
  };
}

function rowsOf(database: DatabaseSync): string[] {
  const rows = database.prepare('select length(text) || substr(text, 1, 10) as text from things order by rowid').all();
  return rows.map(({ text }) => String(text));
}

/** Returns a source of pseudo-random numbers, whose seed a failing test prints. */
function randomFrom(t: TestContext): () => number {
  let state = Math.floor(Math.random() * 2 ** 31);
  t.diagnostic(`seed ${state}`);
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}
