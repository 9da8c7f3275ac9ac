import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
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
  test('is refused once its transaction is over, whichever way that ended', async (t) => {
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
    // Neither alone nor within what others did next on the same connection.
    const left = await selectAttempts(db, {});
    assert.deepEqual(
      left.map(({ key }) => key),
      ['in time'],
    );
  });
});
