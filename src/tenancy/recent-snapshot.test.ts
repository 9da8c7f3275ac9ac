import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beforeClosing, onEachDatabase, openTestDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import type { Db, Trx } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { registerReplica, replicaOf } from '../db/replica.ts';
import { AppError } from '../errors.ts';
import { raiseContentVersion } from './content-version.ts';
import { recentSnapshot } from './recent-snapshot.ts';

onEachDatabase('recent snapshots', (open) => {
  /** Opens a database with an account, and a replica that is always up to date, since it is the same database. */
  async function openWithReplica(t: Parameters<typeof open>[0]) {
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db);
    const replica = await openDatabase(config);
    beforeClosing(t, () => replica.destroy());
    registerReplica(db, replica);
    return { db, replica, accountId };
  }
  const raise = (db: Db, accountId: number) =>
    db.transaction().execute(async (trx) => (await raiseContentVersion(trx, accountId, Date.now())).version);
  /** Returns a reader that returns how often it was called. */
  const reader = (fail: (call: number) => void = () => {}) => {
    const read = async (_: Trx) => {
      read.calls += 1;
      fail(read.calls);
      return read.calls;
    };
    read.calls = 0;
    return read;
  };

  test('a snapshot is read from the replica if that has the version, and otherwise from the primary', async (t) => {
    const { db, replica, accountId } = await openWithReplica(t);
    const contentVersion = await raise(db, accountId);
    const where = (version: number) =>
      recentSnapshot(db, { accountId, contentVersion: version }, async (trx) => trx.getExecutor().adapter);
    assert.equal(await where(contentVersion), replica.getExecutor().adapter);
    assert.equal(await where(contentVersion + 1), db.getExecutor().adapter);
  });

  test('snapshots are read from the primary if the replica fails, and its failure and recovery are reported once', async (t) => {
    const { db, accountId } = await openWithReplica(t);
    const reported: unknown[] = [];
    replicaOf(db)!.onChange = (reason) => reported.push(reason);
    const wanted = { accountId, contentVersion: 0 };
    const failing = (error: Error) =>
      reader((call) => {
        if (call === 1) throw error;
      });
    const conflict = Object.assign(new Error('canceling statement due to conflict with recovery'), { code: '40001' });
    assert.equal(await recentSnapshot(db, wanted, failing(conflict)), 2);
    assert.deepEqual(reported, []);
    const broken = new Error('Connection terminated unexpectedly');
    assert.equal(await recentSnapshot(db, wanted, failing(broken)), 2);
    assert.equal(await recentSnapshot(db, wanted, failing(broken)), 2);
    assert.deepEqual(reported, [broken]);
    assert.equal(await recentSnapshot(db, wanted, reader()), 1);
    assert.deepEqual(reported, [broken, undefined]);
  });

  test('a refusal by the reader is thrown, and the primary is not tried', async (t) => {
    const { db, accountId } = await openWithReplica(t);
    const refusing = reader(() => {
      throw new AppError('gone', 'It is not known any more.');
    });
    await assert.rejects(recentSnapshot(db, { accountId, contentVersion: 0 }, refusing), { code: 'gone' });
    assert.equal(refusing.calls, 1);
  });
});

test('no snapshot is read from a server with another database', async (t) => {
  const [own, foreign] = [await openTestDatabase(t, 'postgres'), await openTestDatabase(t, 'postgres')];
  const accounts = [await makeAccount(own.db), await makeAccount(foreign.db)];
  assert.equal(accounts[0]!.accountId, accounts[1]!.accountId);
  const { accountId } = accounts[0]!;
  const readWith = async (databaseReplicaUrl: string) => {
    const db = await openDatabase({ ...own.config, databaseReplicaUrl });
    beforeClosing(t, () => db.destroy());
    const told: unknown[] = [];
    replicaOf(db)!.onChange = (reason) => told.push(reason);
    const adapter = await recentSnapshot(
      db,
      { accountId, contentVersion: 0 },
      async (trx) => trx.getExecutor().adapter,
    );
    return { isPrimary: adapter === db.getExecutor().adapter, told: told.map((reason) => (reason as Error).message) };
  };
  assert.deepEqual(await readWith(own.config.databaseUrl), { isPrimary: false, told: [] });
  assert.deepEqual(await readWith(foreign.config.databaseUrl), {
    isPrimary: true,
    told: ['it is not a standby server of the database in DATABASE_URL, or is far behind it'],
  });
});
