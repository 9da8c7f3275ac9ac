import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { onEachDatabase, openTestDatabase } from '../../test/databases.ts';
import type { Db } from './database.ts';
import { appliedMigrations, migrate } from './migrate.ts';
import { type Migration, migrations } from './migrations.ts';
import { openDatabase } from './open-database.ts';

const addColumn: Migration = [
  '900-column',
  () => ({ up: (db: Kysely<unknown>) => sql`alter table pages add column later text`.execute(db).then(() => {}) }),
];
const addIndex: Migration = [
  '901-index',
  () => ({ indexes: [{ name: 'pages_later', on: 'on pages (account_id, later)' }] }),
];

onEachDatabase('migrations of a later version', (open, kind) => {
  test('new migrations are applied once and in order, even if several processes migrate at the same time', async (t) => {
    const { db, config } = await open(t);
    const others = await Promise.all([openDatabase(config), openDatabase(config)]);
    t.after(() => Promise.all(others.map((other) => other.destroy())));
    const later = [...migrations, addColumn, addIndex];
    const applied = await Promise.all([db, ...others].map((each) => migrate(each, later)));
    assert.deepEqual(applied.flat().sort(), ['900-column', '901-index']);
    assert.deepEqual(await migrate(db, later), []);
    assert.deepEqual((await appliedMigrations(db)).slice(-2), ['900-column', '901-index']);
    assert.equal(await hasIndex(db, kind), true);
  });

  test('a migration that fails leaves nothing behind', async (t) => {
    const { db } = await open(t);
    const wrong: Migration = [
      '901-wrong',
      () => ({
        up: async (trx) => {
          await sql`create table half (id integer)`.execute(trx);
          await sql`create table half (id integer)`.execute(trx);
        },
      }),
    ];
    await assert.rejects(migrate(db, [...migrations, addColumn, wrong]), /half/);
    await db.transaction().execute((trx) => sql`create table half (id integer)`.execute(trx));
    // On PostgreSQL, each migration is a transaction, so the migrations before the failed one stay.
    const stays = (await appliedMigrations(db)).includes('900-column');
    assert.equal(stays, kind === 'postgres');
  });

  test('an older version refuses a database that a newer one has migrated', async (t) => {
    const { db } = await open(t);
    await migrate(db, [...migrations, addColumn]);
    await assert.rejects(migrate(db), { code: 'conflict', message: /900-column/ });
  });
});

test('a migration that waits for a long transaction does not block other queries for long (postgres)', async (t) => {
  const { db } = await openTestDatabase(t, 'postgres');
  const migrating = await db.transaction().execute(async (reading) => {
    await reading.selectFrom('pages').select('id').execute();
    const done = migrate(db, [...migrations, addColumn]);
    while (!(await isWaitingForTable(db))) t.signal.throwIfAborted();
    // This query waits behind the migration, which soon gives up its place in the queue.
    await db.selectFrom('pages').select('id').execute();
    assert.equal((await appliedMigrations(db)).includes('900-column'), false);
    return { done };
  });
  assert.deepEqual(await migrating.done, ['900-column']);
});

test('an index that was left unfinished is built again (postgres)', async (t) => {
  const { db } = await openTestDatabase(t, 'postgres');
  await migrate(db, [...migrations, addColumn]);
  await sql`create index pages_later on pages (account_id, later)`.execute(db);
  await sql`update pg_index set indisvalid = false where indexrelid = to_regclass('pages_later')`.execute(db);
  assert.equal(await hasIndex(db, 'postgres'), false);
  await migrate(db, [...migrations, addColumn, addIndex]);
  assert.equal(await hasIndex(db, 'postgres'), true);
});

async function hasIndex(db: Db, kind: string): Promise<boolean> {
  const { rows } = await (kind === 'postgres'
    ? sql`select 1 from pg_index where indexrelid = to_regclass('pages_later') and indisvalid`
    : sql`select 1 from sqlite_master where name = 'pages_later'`
  ).execute(db);
  return rows.length === 1;
}

async function isWaitingForTable(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_locks where relation = to_regclass('pages') and not granted`.execute(db);
  return rows.length > 0;
}
