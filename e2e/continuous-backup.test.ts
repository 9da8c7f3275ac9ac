import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { rebuildDatabase } from '../src/continuous-backup/rebuild-database.ts';
import type { Db } from '../src/db/database.ts';
import { openDatabase } from '../src/db/open-database.ts';
import { allRows } from '../test/all-rows.ts';
import { runCli } from '../test/cli.ts';
import { beforeClosing, makeEmptyDatabase, makeMigratedDatabase } from '../test/databases.ts';
import { picture } from '../test/images.ts';
import { customerPath, manyConnections, pagePath, send } from './load.ts';
import { eventually, type Program, startProgram } from './program.ts';

// With two workers, the process that backs up does not write. In the other tests, one process does both.
test('the backup of a service killed under load contains all but the last seconds', async (t) => {
  const folder = await makeBackupFolder(t);
  const database = await makeMigratedDatabase(t, 'sqlite');
  const settings = { BACKUP_FOLDER: folder, RATE_LIMIT: '0', WORKERS: '2' };
  const first = await startProgram(t, database, settings);
  const { key } = first;
  const created = createContinuously(t, first);
  await eventually(
    t,
    () => files(folder, 'snapshot'),
    ({ length }) => length > 0,
  );
  // The backup contains these pages once a later file of changes is written.
  const early = await eventually(
    t,
    async () => [...created.names],
    ({ length }) => length > 200,
  );
  const before = Math.max(...(await files(folder, 'changes')).map(sequenceOf));
  await eventually(
    t,
    () => files(folder, 'changes'),
    (all) => Math.max(...all.map(sequenceOf)) > before + 1,
  );
  assert.ok((await behind(first)) < 60);
  await first.kill();
  await created.ended;

  const restored = await restoreTo(t, folder);
  const names = new Set((await restored.db.selectFrom('pages').select('name').execute()).map(({ name }) => name));
  assert.deepEqual(
    early.filter((name) => !names.has(name)),
    [],
  );
  assert.deepEqual(restored.problems, []);

  // After the next start, a regular stop loses nothing.
  const second = await startProgram(t, database, settings);
  const later = createContinuously(t, { key, port: second.port });
  await eventually(
    t,
    async () => later.names.length,
    (count) => count > 50,
  );
  await eventually(
    t,
    () => files(folder, 'snapshot'),
    ({ length }) => length > 1,
  );
  assert.deepEqual(await second.stop(), { code: 0, signal: null });
  await later.ended;
  const source = await openDatabase(database);
  beforeClosing(t, () => source.destroy());
  assert.deepEqual(await allRows(await rebuild(t, folder)), await allRows(source));
});

test('a service whose backup folder is missing goes on, reports it, and copies the changes once it is back', async (t) => {
  const folder = await makeBackupFolder(t);
  const database = await makeMigratedDatabase(t, 'sqlite');
  const [away, METRICS_PORT] = [`${folder}-away`, '0'];
  await rename(folder, away);
  const program = await startProgram(t, database, { BACKUP_FOLDER: folder, METRICS_PORT });
  const { key, service } = program;
  await program.until(({ log }) =>
    ['changes', 'images'].every((what) =>
      log.some(
        ({ msg, level }) => level === 50 && msg.includes(`of ${what} `) && /BACKUP_FOLDER .* is not a folder/.test(msg),
      ),
    ),
  );
  await rename(away, folder);
  const goesOn = (times: number) =>
    program.until(
      ({ log }) => log.filter(({ msg }) => /backup of changes to .* works again/.test(msg)).length === times,
    );
  await goesOn(1);
  const image = {
    body: await picture(20, 20).png().toBuffer(),
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'image/png' },
  };
  assert.equal((await service.request('POST', '/api/images.json?name=picture.png', image)).status, 200);
  const images = async (parent: string) => (await readdir(join(parent, 'media'), { recursive: true })).sort();
  const expected = await images(database.dataDir);
  await eventually(
    t,
    () => images(folder),
    (found) => isDeepStrictEqual(found, expected),
  );
  assert.ok((await behind(program)) < 60);

  await rename(folder, away);
  assert.equal((await service.createPage(key, { name: 'Meanwhile' })).status, 200);
  await program.until(({ log }) => log.some(({ msg }) => /cannot be written/.test(msg)));
  await rename(away, folder);
  await goesOn(2);
  assert.deepEqual(await program.stop(), { code: 0, signal: null });
  const { db } = await restoreTo(t, folder);
  const pages = await db.selectFrom('pages').select('id').where('name', '=', 'Meanwhile').execute();
  assert.equal(pages.length, 1);
});

test('a service does not back up to another service’s folder, reports it, and goes on once the folder is free', async (t) => {
  const folder = await makeBackupFolder(t);
  const start = async () => startProgram(t, await makeMigratedDatabase(t, 'sqlite'), { BACKUP_FOLDER: folder });
  const snapshots = (count: number) =>
    eventually(
      t,
      () => files(folder, 'snapshot'),
      ({ length }) => length === count,
    );
  const first = await start();
  await snapshots(1);
  const second = await start();
  await second.until(({ log }) => log.some(({ msg, level }) => level === 50 && /another service \(.*\) has/.test(msg)));
  assert.equal((await second.service.createPage(second.key, { name: 'Here' })).status, 200);
  await snapshots(1);
  assert.deepEqual(await first.stop(), { code: 0, signal: null });
  await snapshots(2);
  assert.deepEqual(await second.stop(), { code: 0, signal: null });
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('in-use')),
    [],
  );
});

async function makeBackupFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-backup-'));
  beforeClosing(t, () => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'copies'));
  return join(folder, 'copies');
}

async function files(folder: string, kind: 'snapshot' | 'changes'): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => name.includes(`/${kind}-`) && name.endsWith('.zst'));
}

const sequenceOf = (name: string) => Number(/changes-(\d+)/.exec(name)![1]);

/** Creates pages and customers until the service ends, and records the pages that it has acknowledged. */
function createContinuously(t: TestContext, { key, port }: Pick<Program, 'key' | 'port'>) {
  const agent = manyConnections(t);
  const names: string[] = [];
  const client = async (index: number) => {
    for (let count = 0; ; count++) {
      const name = `${port}-${index}-${count}`;
      const path = index === 0 ? customerPath(key, `c${name}`) : pagePath(key, name);
      const answer = await send(agent, port, 'POST', path).catch(() => undefined);
      if (answer?.status !== 200) return;
      if (index > 0) names.push(name);
    }
  };
  return { names, ended: Promise.all(Array.from({ length: 6 }, (_, index) => client(index))) };
}

async function restoreTo(t: TestContext, folder: string) {
  const config = await makeEmptyDatabase(t, 'sqlite');
  const { code, error } = await runCli(config, 'restore', folder);
  assert.equal(code, 0, error);
  const doctor = await runCli(config, 'doctor', '--json');
  const db = await openDatabase(config);
  beforeClosing(t, () => db.destroy());
  return { db, problems: JSON.parse(doctor.out).problems };
}

/** Returns the database in the backup, without the changes that a restore makes. */
async function rebuild(t: TestContext, folder: string): Promise<Db> {
  const config = await makeEmptyDatabase(t, 'sqlite');
  const file = join(config.dataDir, 'freehold.db');
  await writeFile(file, '');
  await rebuildDatabase(folder, file);
  const db = await openDatabase(config);
  beforeClosing(t, () => db.destroy());
  return db;
}

async function behind(program: Program): Promise<number> {
  const { text } = await program.service.request('GET', '/metrics', { headers: { Host: `localhost:${program.port}` } });
  return Number(/^freehold_continuous_backup_behind_seconds (\S+)$/m.exec(text)![1]);
}
