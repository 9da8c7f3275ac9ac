import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { GroupCommit } from './sqlite-group-commit.ts';

async function openDatabase(t: TestContext): Promise<DatabaseSync> {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-test-'));
  const database = new DatabaseSync(join(folder, 'test.db'));
  t.after(() => {
    if (database.isOpen) database.close();
    return rm(folder, { recursive: true });
  });
  database.exec('pragma journal_mode = wal; create table things (name text primary key)');
  return database;
}

async function insert(database: DatabaseSync, group: GroupCommit, name: string): Promise<void> {
  const turn = await group.begin();
  try {
    database.prepare('insert into things values (?)').run(name);
  } catch (error) {
    await turn.rollback();
    throw error;
  }
  await turn.commit();
}

test('transactions that arrive together are committed together, each with its own outcome', async (t) => {
  const database = await openDatabase(t);
  const group = new GroupCommit(database);
  const outcomes = await Promise.allSettled(['a', 'b', 'a', 'c'].map((name) => insert(database, group, name)));
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  );
  const names = database.prepare('select name from things order by name').all();
  assert.deepEqual(
    names.map(({ name }) => name),
    ['a', 'b', 'c'],
  );
});

test('if the commit of a group fails, all of its transactions fail with the error of the commit', async (t) => {
  const database = await openDatabase(t);
  database.exec('create table parents (id integer primary key) strict');
  database.exec('create table children (parent integer references parents deferrable initially deferred) strict');
  const group = new GroupCommit(database);
  const first = insert(database, group, 'a');
  const second = insert(database, group, 'a');
  // A real reason for a commit to fail: a deferred foreign key that refers to a missing row.
  const third = group.begin().then((turn) => {
    database.exec('pragma foreign_keys = on; insert into children values (1)');
    return turn.commit();
  });
  const outcomes = await Promise.allSettled([first, second, third]);
  for (const outcome of outcomes) {
    assert.equal(outcome.status, 'rejected');
    assert.match(String(outcome.reason), /FOREIGN KEY/);
  }
  assert.equal(database.prepare('select count(*) as count from things').get()!.count, 0);
  // The next transaction succeeds.
  await insert(database, group, 'a');
});

test('a single transaction does not wait for others to join its group', async (t) => {
  const database = await openDatabase(t);
  const group = new GroupCommit(database);
  let turns = 0;
  const count = () => {
    turns += 1;
    if (turns < 1000) setImmediate(count);
  };
  setImmediate(count);
  await insert(database, group, 'a');
  assert.ok(turns < 5, `it took ${turns} turns of the event loop`);
  turns = 1000;
});

test('a transaction that writes much is committed before the next one begins; small ones share a commit', async (t) => {
  const database = await openDatabase(t);
  let commits = 0;
  const group = new GroupCommit(database, {
    afterCommit: () => {
      commits += 1;
    },
  });
  const write = async (name: string, bytes: number) => {
    const turn = await group.begin();
    database.prepare('insert into things values (?)').run(name);
    turn.bytes += bytes;
    await turn.commit();
  };
  await Promise.all(Array.from({ length: 6 }, (_, index) => write(`short ${index}`, 1000)));
  assert.equal(commits, 1);
  const long = 16 * 1024 * 1024;
  const first = write('first', 1000).then(() => commits);
  await Promise.all(Array.from({ length: 6 }, (_, index) => write(`long ${index}`, long)));
  assert.equal(commits, 1 + 6);
  // The small transaction shares its commit with one long one, not with all six.
  assert.equal(await first, 2);
});

test('an error of the `afterCommit` hook fails all transactions of the group', async (t) => {
  const database = await openDatabase(t);
  const group = new GroupCommit(database, {
    afterCommit: () => {
      throw new Error('The files are gone.');
    },
  });
  const outcomes = await Promise.allSettled(['a', 'b'].map((name) => insert(database, group, name)));
  for (const outcome of outcomes) {
    assert.equal(outcome.status, 'rejected');
    assert.match(String(outcome.reason), /files are gone/);
  }
});
