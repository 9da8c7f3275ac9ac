import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase, openTestDatabase } from '../../test/databases.ts';
import type { Trx } from './database.ts';
import { prepared } from './prepared.ts';
import { snapshot } from './snapshot.ts';

const addAttempt = prepared<{ key: string }, { key: string }>((db, parameter) =>
  db
    .insertInto('sign_in_attempts')
    .values({ key: parameter('key'), failures: 1, failed_at: 0, open_at: 0 })
    .returning('key'),
);
const selectAttempts = prepared<object, { key: string }>((db) => db.selectFrom('sign_in_attempts').select('key'));

onEachDatabase('a prepared query', (open) => {
  test('a prepared query is refused once its transaction is over, whichever way it ended', async (t) => {
    const { db } = await open(t);
    const over: Record<string, Trx> = {};
    await db.transaction().execute(async (trx) => {
      over.committed = trx;
      await addAttempt(trx, { key: 'in time' });
    });
    const undone = db.transaction().execute(async (trx) => {
      over.undone = trx;
      await addAttempt(trx, { key: 'undone' });
      throw new Error('No.');
    });
    await assert.rejects(undone, /No\./);
    await snapshot(db, async (trx) => {
      over.snapshot = trx;
      await selectAttempts(trx, {});
    });
    for (const [how, trx] of Object.entries(over)) {
      await assert.rejects(addAttempt(trx, { key: 'too late' }), /already|is over/, `written, ${how}`);
      await assert.rejects(selectAttempts(trx, {}), /already|is over/, `read, ${how}`);
    }
    // The refused queries wrote nothing, neither alone nor in a later transaction on the same connection.
    const left = await selectAttempts(db, {});
    assert.deepEqual(
      left.map(({ key }) => key),
      ['in time'],
    );
  });
});

const lock = prepared<object, unknown>((db) => ({
  compile: () => sql`select pg_advisory_xact_lock(1)`.compile(db),
}));
const echo = prepared<{ text: string }, { text: string }>((db, parameter) => ({
  compile: () => sql<{ text: string }>`select cast(${parameter('text')} as text) as text`.compile(db),
}));

test('PostgreSQL receives the next statement of a transaction before it has answered the previous one', async (t) => {
  const { db } = await openTestDatabase(t, 'postgres');
  const locked = Promise.withResolvers<void>();
  const sent = Promise.withResolvers<void>();
  const other = db.transaction().execute(async (trx) => {
    await lock(trx, {});
    locked.resolve();
    await sent.promise;
  });
  await locked.promise;
  // The driver reads the value when it sends the statement.
  const value = {
    toPostgres: () => {
      sent.resolve();
      return 'two';
    },
  };
  const [, answers] = await db
    .transaction()
    .execute((trx) => Promise.all([lock(trx, {}), echo(trx, { text: value as unknown as string })]));
  await other;
  assert.deepEqual(answers, [{ text: 'two' }]);
});
