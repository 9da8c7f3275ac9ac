import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase, openTestDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import '../mail/outbox.ts';
import { createUsers } from '../users/create-user.ts';
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
