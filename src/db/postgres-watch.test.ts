import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeClosing, openTestDatabase } from '../../test/databases.ts';
import { startPostgres } from '../../test/global-setup.ts';
import { untilWaiting } from '../../test/overlap.ts';
import { SilentProxy } from '../../test/silent-proxy.ts';
import { takeTurnsAs } from './connection-turns.ts';
import { isUnavailable } from './constraint.ts';
import type { Db, Trx } from './database.ts';
import { DatabaseOutage } from './database-outage.ts';
import { faultsOf } from './faults.ts';
import { type DatabaseConfig, openDatabase } from './open-database.ts';

const TIMEOUT_MS = 1000;

/** Opens a database behind a proxy that can fall silent. `direct` bypasses the proxy. */
async function openBehindProxy(t: TestContext, more: Partial<DatabaseConfig> = {}) {
  const { db: direct, config } = await openTestDatabase(t, 'postgres');
  await sql`create table counted (n integer not null)`.execute(direct);
  const proxy = await SilentProxy.start(config.databaseUrl);
  beforeClosing(t, () => proxy.close());
  const db = await openDatabase({ ...config, databaseUrl: proxy.url, databaseTimeoutMs: TIMEOUT_MS, ...more });
  beforeClosing(t, () => db.destroy());
  return { db, proxy, direct };
}

const ask = (db: Db | Trx) => sql`select 1`.execute(db);
const insert = (db: Db | Trx) => sql`insert into counted values (1)`.execute(db);
const count = async (db: Db) => (await sql`select n from counted`.execute(db)).rows.length;

const outage = (expected: Partial<DatabaseOutage>) => (error: unknown) => {
  assert.ok(error instanceof DatabaseOutage, String(error));
  const { mayHaveChanged, isKnown } = { mayHaveChanged: error.mayHaveChanged, isKnown: error.isKnown, ...expected };
  assert.deepEqual([error.mayHaveChanged, error.isKnown], [mayHaveChanged, isKnown]);
  return true;
};
const known = outage({ mayHaveChanged: false, isKnown: true });

/** Resolves when the outage has begun, changed or ended. */
function nextChange(db: Db): Promise<void> {
  return new Promise((resolve) => {
    faultsOf(db).onOutage = resolve;
  });
}

test('if the database falls silent, waiting queries fail, and new ones fail at once until it answers', async (t) => {
  const { db, proxy } = await openBehindProxy(t);
  // Several connections that all fall silent, and more queries that wait for one of them.
  await Promise.all(Array.from({ length: 10 }, () => ask(db)));
  const silent = nextChange(db);
  proxy.fallSilent();
  const waiting = await Promise.allSettled(Array.from({ length: 50 }, () => ask(db)));
  for (const { status } of waiting) assert.equal(status, 'rejected');
  await silent;
  assert.equal(faultsOf(db).outage, 'silent');
  await assert.rejects(ask(db), known);
  await assert.rejects(db.transaction().execute(insert), known);

  const answers = nextChange(db);
  proxy.comeBack();
  await answers;
  assert.equal(faultsOf(db).outage, undefined);
  await Promise.all(Array.from({ length: 50 }, () => ask(db)));
});

test('the error of a commit without an answer says that the change may have been made', async (t) => {
  const { db, proxy, direct } = await openBehindProxy(t);
  const change = db.transaction().execute(async (trx) => {
    await insert(trx);
    proxy.fallSilent();
  });
  await assert.rejects(change, outage({ mayHaveChanged: true, isKnown: true }));
  const answers = nextChange(db);
  proxy.comeBack();
  await answers;
  // A statement without a transaction commits itself. `ask` has opened the connection for it.
  await ask(db);
  proxy.fallSilent();
  await assert.rejects(insert(db), outage({ mayHaveChanged: true, isKnown: true }));
  assert.ok((await count(direct)) <= 2);
});

test('if a request is cut off after it changed something, its error says that the change may have been made', async (t) => {
  const { db, proxy } = await openBehindProxy(t);
  await takeTurnsAs(1, async () => {
    await db.transaction().execute(insert);
    proxy.fallSilent();
    await assert.rejects(ask(db), outage({ mayHaveChanged: true }));
    await assert.rejects(ask(db), outage({ mayHaveChanged: true }));
  });
  await assert.rejects(ask(db), known);
});

test('a host that takes over is used, even if the connections to the old one never end', async (t) => {
  const { db, proxy } = await openBehindProxy(t);
  await Promise.all(Array.from({ length: 10 }, () => ask(db)));
  const silent = nextChange(db);
  proxy.fallSilent();
  await assert.rejects(ask(db), DatabaseOutage);
  await silent;
  const answers = nextChange(db);
  proxy.beReplaced();
  await answers;
  await db.transaction().execute(insert);
  assert.equal(await count(db), 1);
});

test('a query that waits too long for a lock fails alone, and the database does not count as silent', async (t) => {
  const { db, direct } = await openBehindProxy(t);
  await insert(direct);
  const update = (trx: Db | Trx) => sql`update counted set n = 2`.execute(trx);
  let outages = 0;
  faultsOf(db).onOutage = () => {
    outages += 1;
  };
  await direct.transaction().execute(async (trx) => {
    await update(trx);
    // The server ends the statement and reports it.
    await assert.rejects(db.transaction().execute(update), { code: '57014' });
    await ask(db);
  });
  assert.equal(outages, 0);
  await db.transaction().execute(update);
});

test('a long statement may exceed the usual limit, but fails if the database falls silent', async (t) => {
  const { db, proxy, direct } = await openBehindProxy(t, { databasePool: 1, hasLongStatements: true });
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const lock = direct.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(8)`.execute(trx);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  const statement = db.transaction().execute((trx) => sql`select pg_advisory_xact_lock(8)`.execute(trx));
  // A statement on a connection with the usual limit fails meanwhile.
  const usual = await openDatabase({
    dataDir: '',
    databaseUrl: proxy.url,
    databasePool: 1,
    databaseTimeoutMs: TIMEOUT_MS,
  });
  beforeClosing(t, () => usual.destroy());
  await assert.rejects(sql`select pg_advisory_lock(8)`.execute(usual), { code: '57014' });
  release.resolve();
  await lock;
  await statement;
  proxy.fallSilent();
  await assert.rejects(ask(db), known);
});

test('if the connection is lost during a commit, the error says that the change may have been made', async (t) => {
  const { db, direct } = await openBehindProxy(t);
  await sql`create function slow() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(7); return null; end $$`.execute(direct);
  await sql`create constraint trigger slow after insert on counted deferrable initially deferred
    for each row execute function slow()`.execute(direct);
  await direct.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(7)`.execute(trx);
    const change = db.transaction().execute(insert);
    await untilWaiting(trx as unknown as Db, 1, change);
    const terminated = sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(trx);
    await Promise.all([terminated, assert.rejects(change, outage({ mayHaveChanged: true, isKnown: false }))]);
  });
});

test('commits that wait for a standby server do not block reads, and succeed again once none is needed', async (t) => {
  const { postgres, folder, url } = await startPostgres([]);
  beforeClosing(t, async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const operator = new pg.Client(url);
  await operator.connect();
  beforeClosing(t, () => operator.end());
  await operator.query('create table counted (n integer not null)');
  const config = { dataDir: '', databaseUrl: url, databasePool: 10, databaseTimeoutMs: TIMEOUT_MS };
  const db = await openDatabase(config);
  beforeClosing(t, () => db.destroy());
  const setStandby = async (value: string) => {
    await operator.query(`alter system set synchronous_standby_names = '${value}'`);
    await operator.query('select pg_reload_conf()');
  };
  await setStandby('nobody');
  const blocked = nextChange(db);
  let acknowledged = 0;
  const change = async () => {
    // The server takes a moment to apply the setting.
    for (;;) {
      await db.transaction().execute(insert);
      acknowledged += 1;
    }
  };
  const outcomes = Promise.allSettled(Array.from({ length: 10 }, change));
  let answered = 0;
  const over = blocked.then(() => true);
  while (!(await Promise.race([over, ask(db).then(() => false)]))) answered += 1;
  assert.ok(answered > 10, `${answered} reads were answered`);
  assert.equal(faultsOf(db).outage, 'commits');
  const reasons = (await outcomes).map((outcome) => outcome.status === 'rejected' && outcome.reason);
  for (const reason of reasons) assert.ok(isUnavailable(reason), String(reason));
  await assert.rejects(db.transaction().execute(insert), known);
  await ask(db);

  const confirmed = nextChange(db);
  await setStandby('');
  await confirmed;
  await db.transaction().execute(insert);
  assert.ok((await count(db)) > acknowledged);
});
