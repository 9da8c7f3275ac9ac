import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { beforeClosing, onEachDatabase, openTestDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { withoutAutovacuum } from '../../test/without-autovacuum.ts';
import '../mail/outbox.ts';
import { createUsers } from '../users/create-user.ts';
import { storeLinks } from '../users/one-time-links.ts';
import { newToken } from '../users/token.ts';
import { openDatabase } from './open-database.ts';
import { preparedQueries } from './prepared.ts';

onEachDatabase('rows inserted together', (open) => {
  test('rows inserted together keep their texts, whatever characters these have', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const names = [
      'NULL',
      '',
      '{}',
      '{"a",b}',
      '"',
      '\\',
      '\\"',
      'a\\nb',
      'a\nb',
      "O'Neill",
      ' x ',
      'ä',
      '🙂',
      '()',
      'a,b',
    ];
    const users = names.map((name, index) => ({
      accountId,
      name,
      email: `user${index}@example.com`,
      role: 'editor' as const,
      passwordHash: index % 2 === 0 ? null : 'x',
    }));
    const ids = await db.transaction().execute((trx) => createUsers(trx, users));
    const rows = await db.selectFrom('users').selectAll().where('id', 'in', ids).orderBy('id').execute();
    assert.deepEqual(
      rows.map(({ id, name, password_hash }) => [id, name, password_hash]),
      users.map(({ name, passwordHash }, index) => [ids[index], name, passwordHash]),
    );
  });
});

test('on PostgreSQL, an insertion of rows returns ids only if its caller uses them', async (t) => {
  const { db } = await openTestDatabase(t, 'postgres');
  const statements = [...preparedQueries].map((compile) => compile(db).sql);
  const insertionInto = (table: string) =>
    statements.filter((sql) => sql.includes(`insert into "${table}"`) && sql.includes('unnest'));
  assert.match(insertionInto('users').join(), /returning id$/);
  assert.doesNotMatch(insertionInto('outbox').join(';'), /returning|^$/);
});

test('on PostgreSQL, foreign keys of many rows are checked by an index, even if the referenced table was small before', async (t) => {
  const { db, config } = await openTestDatabase(t, 'postgres');
  await withoutAutovacuum(db);
  const { accountId } = await makeAccount(db);
  // A single connection, which keeps the plans of its checks.
  const own = await openDatabase({ ...config, databasePool: 1 });
  beforeClosing(t, () => own.destroy());
  const addUsers = (count: number) =>
    own.transaction().execute((trx) => {
      const names = Array.from({ length: count }, (_, index) => `user-${count}-${index}`);
      const common = { accountId, role: 'editor', passwordHash: null } as const;
      return createUsers(
        trx,
        names.map((name) => ({ ...common, name, email: `${name}@example.com` })),
      );
    });
  const addLinks = (ids: readonly number[]) =>
    own.transaction().execute((trx) =>
      storeLinks(
        trx,
        ids.map((userId) => ({ accountId, userId, token: newToken() })),
        'invitation',
      ),
    );
  const rowsScanned = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(own);
    const { rows } = await sql<{
      count: number;
    }>`select seq_tup_read as count from pg_stat_user_tables where relname = 'users'`.execute(db);
    return rows[0]!.count;
  };
  const first = await addUsers(10);
  await sql`analyze users`.execute(db);
  const small = await rowsScanned();
  await addLinks(first);
  const before = await rowsScanned();
  assert.ok(before > small, 'the table is small enough to be read whole');
  const many = await addUsers(2000);
  await addLinks(many);
  assert.equal(await rowsScanned(), before);
});
