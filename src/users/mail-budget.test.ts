import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { type Db, dialectOf } from '../db/database.ts';
import { mailboxOf, reserveMail } from './mail-budget.ts';
import { pruneAttempts } from './throttle.ts';

const HOUR_S = 3600;
const HOUR_MS = HOUR_S * 1000;

onEachDatabase("a mailbox's budget of mail", (open) => {
  const mail = (db: Db, email = 'ann@example.com', cause = 'customer', perDay = 4) =>
    db.transaction().execute((trx) => reserveMail(trx, { cause, email, perDay }));

  test('a mailbox can be sent its limit of messages at once, and regains the budget evenly over a day', async (t) => {
    const { db } = await open(t);
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    const waits = [];
    for (let message = 0; message < 6; message++) waits.push(await mail(db));
    assert.deepEqual(waits, [0, 0, 0, 0, 6 * HOUR_S, 6 * HOUR_S], 'refused messages are not counted');
    t.mock.timers.setTime(Date.now() + 6 * HOUR_MS - 1000);
    assert.equal(await mail(db), 1);
    t.mock.timers.setTime(Date.now() + 1000);
    assert.deepEqual([await mail(db), await mail(db)], [0, 6 * HOUR_S]);
    t.mock.timers.setTime(Date.now() + 24 * HOUR_MS);
    for (let message = 0; message < 4; message++) assert.equal(await mail(db), 0);
    assert.equal(await mail(db), 6 * HOUR_S);
  });

  test('all spellings of an address share a budget, and each cause and address has its own', async (t) => {
    const { db } = await open(t);
    const spellings = [
      'ann@bücher.example',
      'ANN@Bücher.example',
      'ann+shop@xn--bcher-kva.example',
      'a.n.n+@BÜCHER.EXAMPLE',
    ];
    for (const email of spellings) assert.equal(await mail(db, email), 0);
    for (const email of spellings) assert.notEqual(await mail(db, email), 0);
    assert.equal(await mail(db, 'ann@bücher.example', 'password changed'), 0);
    assert.equal(await mail(db, 'anna@bücher.example'), 0);
    assert.equal(mailboxOf('+1@example.com'), '+1@example.com', 'a plus sign in front begins no tag');
  });

  test('only committed messages count against the budget', async (t) => {
    const { db } = await open(t);
    for (let attempt = 0; attempt < 8; attempt++) {
      const refused = db.transaction().execute(async (trx) => {
        await reserveMail(trx, { cause: 'customer', email: 'ann@example.com', perDay: 4 });
        throw new Error('refused');
      });
      await assert.rejects(refused, { message: 'refused' });
    }
    const waits = await Promise.all(Array.from({ length: 9 }, () => mail(db)));
    assert.equal(waits.filter((wait) => wait === 0).length, 4, 'concurrent messages do not exceed the budget');
  });

  test('a reservation in an open transaction does not block mail to other addresses', async (t) => {
    const { db } = await open(t);
    // SQLite has one writer at a time anyway.
    if (dialectOf(db) === 'sqlite') return;
    await db.transaction().execute(async (trx) => {
      assert.equal(await reserveMail(trx, { cause: 'customer', email: 'ann@example.com', perDay: 4 }), 0);
      assert.equal(await mail(db, 'bob@example.com'), 0);
    });
  });

  test('a limit of 0 allows any number of messages, and the record of a full budget is pruned', async (t) => {
    const { db } = await open(t);
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    for (let message = 0; message < 10; message++) assert.equal(await mail(db, 'ann@example.com', 'customer', 0), 0);
    assert.deepEqual(await db.selectFrom('sign_in_attempts').selectAll().execute(), []);
    await mail(db);
    t.mock.timers.setTime(Date.now() + 25 * HOUR_MS);
    await pruneAttempts(db);
    assert.deepEqual(await db.selectFrom('sign_in_attempts').selectAll().execute(), []);
  });
});
