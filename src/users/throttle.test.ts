import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import {
  type AttemptKey,
  countAttempt,
  networkKeys,
  pruneAttempts,
  resetAttempts,
  TooManyAttempts,
} from './throttle.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const key: AttemptKey = { kind: 'address', subject: 'ann@example.com' };

onEachDatabase('throttled attempts', (open) => {
  test('the first few failures cost nothing, and then each one doubles the wait', async (t) => {
    const { db } = await open(t);
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    const waits: number[] = [];
    for (let attempt = 0; attempt < 16; attempt++) {
      await countAttempt(db, [key]);
      const wait = await countAttempt(db, [key]).then(
        () => 0,
        (error: TooManyAttempts) => error.retryAfter,
      );
      waits.push(wait);
      t.mock.timers.setTime(Date.now() + wait * SECOND);
      if (wait === 0) await db.transaction().execute((trx) => resetAttempts(trx, { decrement: [key] }));
    }
    assert.deepEqual(waits, [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  });

  test('concurrent attempts are all counted', async (t) => {
    const { db } = await open(t);
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    const all = await Promise.allSettled(Array.from({ length: 30 }, () => countAttempt(db, [key])));
    assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 5);
  });

  test('failed sign-ins from all networks of one IPv6 /48 share one limit', async (t) => {
    const { db } = await open(t);
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    const from = (number: number) => networkKeys(`2001:db8:1:${number.toString(16)}`);
    await Promise.all(Array.from({ length: 200 }, (_, number) => countAttempt(db, from(number))));
    await assert.rejects(countAttempt(db, from(200)), TooManyAttempts);
    await countAttempt(db, networkKeys('2001:db8:2:1'));
    assert.deepEqual(networkKeys('192.0.2.1'), [{ kind: 'network', subject: '192.0.2.1' }]);
  });

  test('when one key has to wait, the others are not counted', async (t) => {
    const { db } = await open(t);
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    const network: AttemptKey = { kind: 'network', subject: '192.0.2.1' };
    for (let attempt = 0; attempt < 5; attempt++) await countAttempt(db, [key, network]);
    await assert.rejects(countAttempt(db, [network, key]), TooManyAttempts);
    const row = await db
      .selectFrom('sign_in_attempts')
      .select('failures')
      .where('key', '=', 'network 192.0.2.1')
      .executeTakeFirstOrThrow();
    assert.equal(row.failures, 5);
  });

  test('a success resets the wait, and an hour later all attempts are forgotten', async (t) => {
    const { db } = await open(t);
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    for (let attempt = 0; attempt < 5; attempt++) await countAttempt(db, [key]);
    await db.transaction().execute((trx) => resetAttempts(trx, { decrement: [key] }));
    await countAttempt(db, [key]);
    await assert.rejects(countAttempt(db, [key]), { code: 'rate_limited', message: /Try again in a second/ });

    t.mock.timers.setTime(Date.now() + HOUR + SECOND);
    for (let attempt = 0; attempt < 4; attempt++) await countAttempt(db, [key]);
    await countAttempt(db, [key]);
    await assert.rejects(countAttempt(db, [key]), TooManyAttempts);

    await pruneAttempts(db);
    assert.equal((await db.selectFrom('sign_in_attempts').selectAll().execute()).length, 1);
    t.mock.timers.setTime(Date.now() + 24 * HOUR + SECOND);
    await pruneAttempts(db);
    assert.deepEqual(await db.selectFrom('sign_in_attempts').selectAll().execute(), []);
  });
});
