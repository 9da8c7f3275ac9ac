import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { allRows } from '../../test/all-rows.ts';
import { runCli } from '../../test/cli.ts';
import { beforeClosing, openTestDatabase } from '../../test/databases.ts';
import { makeAccount, makeCustomer, makePage } from '../../test/factories.ts';
import { readConfig } from '../config.ts';
import type { Db } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { copySqlite } from '../db/sqlite-copy.ts';
import { ChangeShipper, type Shipped } from './change-shipper.ts';
import { checkBackupFolder } from './own-folders.ts';
import { pruneSeries } from './prune-series.ts';
import { rebuildDatabase } from './rebuild-database.ts';
import { writeSnapshot } from './write-snapshot.ts';

const SERIES = '2026-11-28T09-00-00.000Z-0001';

describe('continuous backup', () => {
  test('a continuous backup has the same rows as the database after all kinds of changes and log restarts', async (t) => {
    const { db, shipper, snapshot, change, rebuilt } = await start(t, { maxLogPages: 60, maxFilePages: 20 });
    await change();
    await snapshot(change);
    for (let round = 0; round < 8; round++) {
      await change();
      if (round % 2 === 0) await shipper.ship();
    }
    await db.transaction().execute((trx) => sql`update pages set body = ${'x'.repeat(500_000)}`.execute(trx));
    await change();
    await shipper.ship();
    assert.deepEqual(await rebuilt(), await allRows(db));
  });

  test('a continuous backup restores each moment since its first snapshot', async (t) => {
    const { db, shipper, snapshot, change, rebuilt } = await start(t);
    const states: [number, unknown][] = [];
    const note = async ({ until }: Shipped) => states.push([until, await allRows(db)]);
    await change();
    await note(await snapshot());
    for (let round = 0; round < 4; round++) {
      await change();
      await note(round === 2 ? await snapshot() : await shipper.ship());
    }
    for (const [time, state] of states) assert.deepEqual(await rebuilt(time), state);
    await assert.rejects(rebuilt(states[0]![0] - 1), {
      code: 'invalid',
      message: /begins at .* Choose a later moment/,
    });
  });

  test('incomplete changes at the end of a continuous backup are left out', async (t) => {
    const { db, shipper, snapshot, change, rebuild, rebuilt, files } = await start(t, { maxFilePages: 10 });
    await snapshot();
    await change();
    await shipper.ship();
    const before = await allRows(db);
    const count = (await files('changes')).length;
    await change();
    await shipper.ship();
    const after = (await files('changes')).slice(count);
    assert.ok(after.filter((name) => name.endsWith('-part.zst')).length > 1, after.join());
    await truncate(after.at(-1)!, 40);
    assert.equal((await rebuild()).ignored, after.at(-1));
    assert.deepEqual(await rebuilt(), before);
    await rm(after.at(-1)!);
    assert.deepEqual(await rebuilt(), before);
  });

  test('a restore from a damaged backup names the damaged or missing file and the last moment before it', async (t) => {
    const { shipper, snapshot, change, rebuild, rebuilt, files, db } = await start(t);
    await snapshot();
    await change();
    const { until } = await shipper.ship();
    const before = await allRows(db);
    for (let round = 0; round < 2; round++) {
      await change();
      await shipper.ship();
    }
    const second = (await files('changes')).at(-2);
    const bytes = await readFile(second!);
    await writeFile(
      second!,
      bytes.map((byte, index) => (index === bytes.length - 20 ? byte ^ 1 : byte)),
    );
    const isDamageReport = (error: { code?: string; message: string }) =>
      error.code === 'invalid' &&
      error.message.includes(second!) &&
      /is damaged.* latest earlier moment/.test(error.message);
    await assert.rejects(rebuild(), isDamageReport);
    await rm(second!);
    await assert.rejects(rebuild(), { code: 'invalid', message: /Changes 3 are missing/ });
    assert.deepEqual(await rebuilt(until), before);
    const [first] = await files('snapshot');
    await truncate(first!, 2000);
    await assert.rejects(rebuild(until), { code: 'invalid', message: /snapshot-.* is damaged/ });
  });

  test('a continuous backup catches up when its folder is back', async (t) => {
    const { db, folder, shipper, snapshot, change, rebuilt } = await start(t, { maxFilePages: 10, maxLogPages: 60 });
    await snapshot();
    for (let round = 0; round < 3; round++) {
      await change();
      await rename(join(folder, SERIES), join(folder, 'away'));
      await assert.rejects(shipper.ship(), { message: /cannot be written/ });
      await change();
      await rename(join(folder, 'away'), join(folder, SERIES));
      await shipper.ship();
    }
    assert.equal(shipper.isIntact, true);
    assert.deepEqual(await rebuilt(), await allRows(db));
  });

  test('a series ends before the log grows without limit', async (t) => {
    const { folder, shipper, change } = await start(t, { maxHeldPages: 10, maxHeldMs: 0 });
    await change();
    await rm(join(folder, SERIES), { recursive: true });
    await assert.rejects(shipper.ship());
    assert.equal(shipper.isIntact, false);
  });

  test('pruning keeps what is needed for each moment since a time, and deletes older files', async (t) => {
    const { db, folder, shipper, snapshot, change, rebuilt, files } = await start(t);
    await mkdir(join(folder, '2026-11-27T09-00-00.000Z-0001'));
    await writeFile(
      join(folder, '2026-11-27T09-00-00.000Z-0001', `snapshot-0000000000-0000000000-1000000000000.zst`),
      '',
    );
    await writeFile(join(folder, 'notes'), 'of the operator');
    await snapshot();
    await change();
    const second = await snapshot();
    await change();
    const { until } = await shipper.ship();
    const state = await allRows(db);
    await change();
    const third = await snapshot();
    await pruneSeries(folder, until);
    assert.deepEqual((await readdir(folder)).sort(), [SERIES, 'notes']);
    assert.equal((await files('snapshot')).length, 2);
    assert.ok((await files('changes')).every((name) => !name.includes('changes-0000000001-')));
    assert.deepEqual(await rebuilt(until), state);
    assert.deepEqual(await rebuilt(), await allRows(db));
    assert.ok(second.until < third.until);
  });

  test('a damaged database gets no snapshot, which might not restore', async (t) => {
    const { config, folder, change, files } = await start(t);
    await change();
    const copy = join(config.dataDir, 'copy', 'freehold.db');
    await mkdir(join(config.dataDir, 'copy'));
    await copySqlite(join(config.dataDir, 'freehold.db'), copy);
    const opened = new DatabaseSync(copy);
    const root = opened.prepare("select rootpage from sqlite_schema where name = 'audit_log'").get();
    opened.close();
    const bytes = await readFile(copy);
    const [page, pageSize] = [Number(root!.rootpage), bytes.readUInt16BE(16)];
    await writeFile(copy, bytes.fill(0xff, (page - 1) * pageSize, page * pageSize));
    const header = { series: SERIES, after: 0, upTo: 0, time: Date.now() };
    await assert.rejects(writeSnapshot({ copy, folder: join(folder, SERIES), header }), /damaged|malformed/);
    assert.deepEqual(await files('snapshot'), []);
  });

  test('the restore command restores to a moment or the end, and signs everybody out', async (t) => {
    const { db, folder, shipper, snapshot, change } = await start(t);
    await snapshot();
    await change();
    const { until } = await shipper.ship();
    const [early, accounts] = [new Date(until).toISOString(), await accountsOf(db)];
    await change();
    await shipper.ship();
    const target = await openTestDatabase(t, 'sqlite');
    const { code, out, error } = await runCli(target.config, 'restore', folder, '--until', early);
    assert.equal(code, 0, error);
    assert.match(out, /Restored \d+ accounts and \d+ pages/);
    assert.deepEqual(await accountsOf(target.db), accounts);
    assert.equal((await runCli(target.config, 'restore', folder, '--replace')).code, 0);
    assert.deepEqual(await accountsOf(target.db), await accountsOf(db));
    const open = await target.db.selectFrom('sessions').select('id').where('ended_at', 'is', null).execute();
    assert.deepEqual(open, []);
    assert.deepEqual(
      (await readdir(target.config.dataDir)).filter((name) => name.includes('continuous')),
      [],
    );
    const wrong = await runCli(target.config, 'restore', folder, '--until', 'yesterday');
    assert.match(wrong.error, /--until is not a time/);
    assert.equal(wrong.code, 2);
  });

  test('a restore does not wait for a named pipe among the files of a backup', async (t) => {
    const { db, shipper, snapshot, change, rebuild, rebuilt, files } = await start(t);
    await snapshot();
    const { until } = await shipper.ship();
    const before = await allRows(db);
    await change();
    await shipper.ship();
    const last = (await files('changes')).at(-1)!;
    await rm(last);
    execFileSync('mkfifo', [last]);
    assert.equal((await rebuild()).ignored, last);
    assert.deepEqual(await rebuilt(until), before);
    const [first] = await files('snapshot');
    await rm(first!);
    execFileSync('mkfifo', [first!]);
    await assert.rejects(rebuild(until), { code: 'invalid', message: /snapshot-.* is damaged/ });
  });

  test('a continuous backup cannot be in a folder that the service deletes', async (t) => {
    const { config } = await openTestDatabase(t, 'sqlite');
    for (const name of ['continuous-backup-snapshot', 'continuous-backup-restore', 'continuous-backup-restore/mine']) {
      const folder = join(config.dataDir, name);
      await mkdir(folder, { recursive: true });
      assert.throws(() => checkBackupFolder(folder, config.dataDir), { code: 'invalid' });
      const { code, error } = await runCli(config, 'restore', folder);
      assert.deepEqual([code, error.includes('which the service deletes')], [1, true], error);
      assert.deepEqual(await readdir(folder), []);
    }
    checkBackupFolder(join(config.dataDir, 'continuous-backup-restored'), config.dataDir);
  });

  test('a continuous backup is refused for PostgreSQL, which archives its own log', () => {
    const settings = { BACKUP_FOLDER: '/mnt/backup', DATABASE_URL: 'postgres://localhost/freehold' };
    assert.throws(() => readConfig(settings), { message: /BACKUP_FOLDER is only for SQLite/ });
  });
});

/** Opens a database, and begins a series of its backup. */
async function start(t: TestContext, limits: ConstructorParameters<typeof ChangeShipper>[3] = {}) {
  const { db, config } = await openTestDatabase(t, 'sqlite');
  const folder = await mkdtemp(join(tmpdir(), 'freehold-continuous-'));
  beforeClosing(t, () => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, SERIES));
  const file = join(config.dataDir, 'freehold.db');
  const shipper = new ChangeShipper(file, folder, SERIES, limits);
  beforeClosing(t, async () => shipper.close());
  const own = async () => {
    const made = await mkdtemp(join(tmpdir(), 'freehold-continuous-'));
    beforeClosing(t, () => rm(made, { recursive: true, force: true }));
    return made;
  };
  const rebuild = async (until?: number) => {
    const dataDir = await own();
    await writeFile(join(dataDir, 'freehold.db'), '');
    return { dataDir, ...(await rebuildDatabase(folder, join(dataDir, 'freehold.db'), until)) };
  };
  const { accountId, userId } = await makeAccount(db, 'agency');
  let count = 0;
  return {
    db,
    config,
    folder,
    shipper,
    rebuild,
    /** Makes a snapshot. `whileCopying` may change the database during that. */
    async snapshot(whileCopying = async () => {}): Promise<Shipped> {
      const copy = join(await own(), 'freehold.db');
      const { sequence: after } = await shipper.ship();
      await whileCopying();
      await shipper.ship();
      await copySqlite(file, copy);
      await whileCopying();
      const shipped = await shipper.ship();
      const header = { series: SERIES, after, upTo: shipped.sequence, time: shipped.until };
      await writeSnapshot({ copy, folder: join(folder, SERIES), header });
      return shipped;
    },
    async change() {
      count += 1;
      await makeCustomer(db, accountId, `customer-${count}`);
      for (let page = 0; page < 5; page++) await makePage(db, accountId, { userId, name: `Page ${count}.${page}` });
      const body = `<p>${'text '.repeat(count * 500)}</p>`;
      await db.transaction().execute(async (trx) => {
        await trx.updateTable('pages').set({ body }).where('id', '=', count).execute();
        await trx.deleteFrom('outbox').where('id', '<', count).execute();
      });
    },
    /** Returns the rows of the rebuilt database. */
    async rebuilt(until?: number) {
      const { dataDir } = await rebuild(until);
      const rebuiltDb = await openDatabase({ dataDir, databaseUrl: '', databasePool: 1 });
      const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(rebuiltDb);
      assert.deepEqual(
        rows.map((row) => row.integrity_check),
        ['ok'],
      );
      const found = await allRows(rebuiltDb);
      await rebuiltDb.destroy();
      return found;
    },
    files: async (kind: 'changes' | 'snapshot') =>
      (await readdir(join(folder, SERIES)))
        .filter((name) => name.startsWith(kind))
        .sort()
        .map((name) => join(folder, SERIES, name)),
  };
}

function accountsOf(db: Db) {
  return db.selectFrom('accounts').select(['id', 'name', 'subdomain']).orderBy('id').execute();
}
