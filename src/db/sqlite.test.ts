import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { CompiledQuery, sql } from 'kysely';
import type { Db } from './database.ts';
import { migrate } from './migrate.ts';
import { snapshot } from './snapshot.ts';
import { openSqlite } from './sqlite.ts';

test('a new database can only be read by its owner, even in a folder that others may read', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-test-'));
  t.after(() => rm(folder, { recursive: true }));
  await chmod(folder, 0o755);
  const db = openSqlite(folder);
  await migrate(db);
  const files = await readdir(folder);
  assert.deepEqual(files.sort(), ['freehold.db', 'freehold.db-shm', 'freehold.db-wal']);
  for (const file of files) assert.equal((await stat(join(folder, file))).mode & 0o777, 0o600, file);
  await db.destroy();
  // What the operator has allowed since then stays allowed.
  await chmod(join(folder, 'freehold.db'), 0o640);
  const again = openSqlite(folder);
  await migrate(again);
  await again.destroy();
  assert.equal((await stat(join(folder, 'freehold.db'))).mode & 0o777, 0o640);
});

test('a new database that root creates belongs to the owner of its folder, as does its log', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can give files to others');
  const folder = await mkdtemp(join(tmpdir(), 'freehold-test-'));
  t.after(() => rm(folder, { recursive: true }));
  await chown(folder, 4711, 4712);
  const db = openSqlite(folder);
  await migrate(db);
  const files = await readdir(folder);
  assert.equal(files.length, 3);
  for (const file of files) {
    const { uid, gid } = await stat(join(folder, file));
    assert.deepEqual([uid, gid], [4711, 4712], file);
  }
  await db.destroy();
});

test('several processes can open a new database at the same moment', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-test-'));
  t.after(() => rm(folder, { recursive: true }));
  // Each process opens the file of a round when it is told to, which is when all have finished the previous round.
  const code = `
    import { openSqlite } from '${new URL('sqlite.ts', import.meta.url).href}';
    process.on('message', async (round) => {
      const db = openSqlite('${folder}/' + round);
      await db.selectFrom('sqlite_master').selectAll().execute();
      await db.destroy();
      process.send('done');
    });
    process.send('ready');`;
  const programs = [1, 2, 3].map(() =>
    spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
  );
  t.after(() => programs.map((program) => program.kill()));
  const ended = programs.map((program) => once(program, 'exit').then(() => assert.fail('A program ended.')));
  const allSay = () => {
    const said = programs.map((program) => once(program, 'message'));
    return Promise.race([Promise.all(said), ...ended]);
  };
  await allSay();
  for (let round = 0; round < 60; round++) {
    const done = allSay();
    for (const program of programs) program.send(round);
    await done;
  }
});

test('the writer syncs fully, so that a commit is on disk before it is acknowledged', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-test-'));
  t.after(() => rm(folder, { recursive: true }));
  const db = openSqlite(folder);
  const settings = await db.transaction().execute(async (trx) => {
    const { rows: synchronous } = await sql<object>`pragma synchronous`.execute(trx);
    const { rows: fullfsync } = await sql<object>`pragma fullfsync`.execute(trx);
    return Object.assign({}, ...synchronous, ...fullfsync);
  });
  await db.destroy();
  // 2 is FULL: https://sqlite.org/pragma.html#pragma_synchronous
  assert.deepEqual(settings, { synchronous: 2, fullfsync: 1 });
});

test('a log that has grown, for example during a backup, is cut when it starts over', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-test-'));
  t.after(() => rm(folder, { recursive: true }));
  const db = openSqlite(folder);
  const change = (statement: ReturnType<typeof sql>) => db.transaction().execute((trx) => statement.execute(trx));
  const logBytes = async () => (await stat(join(folder, 'freehold.db-wal'))).size;
  await change(sql`create table large (content blob)`);
  await change(sql`insert into large values (zeroblob(${100 * 1024 * 1024}))`);
  assert.ok((await logBytes()) > 100 * 1024 * 1024);
  const other = new DatabaseSync(join(folder, 'freehold.db'));
  other.exec('pragma wal_checkpoint(full)');
  other.close();
  await change(sql`insert into large values ('small')`);
  const bytes = await logBytes();
  assert.ok(bytes <= 64 * 1024 * 1024, `${bytes} bytes`);
  await db.destroy();
});

test('a statement is cached for its next use, unless SQLite would keep a long text with it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-test-'));
  t.after(() => rm(folder, { recursive: true }));
  const db = openSqlite(folder);
  const { mock } = t.mock.method(DatabaseSync.prototype, 'prepare');
  const ask = async (text: string) => {
    await sql`select length(${text}) as length`.execute(db);
    return mock.calls.filter(({ arguments: [statement] }) => statement.includes('length')).length;
  };
  assert.deepEqual([await ask('short'), await ask('short')], [1, 1]);
  const long = 'long'.repeat(100_000);
  assert.deepEqual([await ask(long), await ask(long), await ask('short')], [1, 2, 3]);
  assert.equal(await ask('short'), 3);
  mock.restore();
  await db.destroy();
});

test('snapshots and connections for large requests keep little of the file in memory', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-test-'));
  t.after(() => rm(folder, { recursive: true }));
  const kibibytes = async (isForLargeRequests: boolean) => {
    const db = openSqlite(folder, { isForLargeRequests });
    const ask = async (trx: Pick<Db, 'executeQuery'>) => {
      const { rows } = await trx.executeQuery<{ cache_size: number }>(CompiledQuery.raw('pragma cache_size'));
      return -rows[0]!.cache_size;
    };
    const sizes = [await ask(db), await db.transaction().execute(ask), await snapshot(db, ask)];
    await db.destroy();
    return sizes;
  };
  assert.deepEqual(await kibibytes(false), [16_000, 16_000, 4000]);
  assert.deepEqual(await kibibytes(true), [4000, 4000, 4000]);
});
