import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import type { Db } from '../db/database.ts';
import { issueApiKey } from './issue-api-key.ts';
import { KeyUsage } from './key-usage.ts';

const START = 1_800_000_000_000;

onEachDatabase('the last use of a key', (open) => {
  test('the first use of a key is recorded within half a second', async (t) => {
    const { usage, first, times } = await start(t, open);
    usage.record(first.accountId, first.keyId, Date.now(), '192.0.2.1');
    t.mock.timers.tick(499);
    assert.deepEqual(await times(), [null, null]);
    t.mock.timers.tick(1);
    await usage.written();
    assert.deepEqual(await times(), [START, null]);
  });

  test('the use of a key is written at most once a minute', async (t) => {
    const { usage, first, second, times } = await start(t, open);
    usage.record(first.accountId, first.keyId, START, '192.0.2.1');
    t.mock.timers.tick(500);
    await usage.written();
    assert.deepEqual(await times(), [START, null]);
    // Writing the use of another key does not write the first key's early, within its minute.
    usage.record(first.accountId, first.keyId, START + 500, '192.0.2.1');
    usage.record(second.accountId, second.keyId, START + 500, '192.0.2.1');
    t.mock.timers.tick(500);
    await usage.written();
    assert.deepEqual(await times(), [START, START + 500]);
    usage.record(first.accountId, first.keyId, START + 30_000, '192.0.2.1');
    t.mock.timers.tick(59_499);
    assert.deepEqual(await times(), [START, START + 500]);
    t.mock.timers.tick(1);
    await usage.written();
    assert.deepEqual(await times(), [START + 30_000, START + 500]);
  });

  test('the last use of a key is written on shutdown, and an earlier time never overwrites it', async (t) => {
    const { db, usage, first, times } = await start(t, open);
    usage.record(first.accountId, first.keyId, START, '192.0.2.1');
    t.mock.timers.tick(500);
    await usage.written();
    assert.deepEqual(await times(), [START, null]);
    usage.record(first.accountId, first.keyId, START + 700, '192.0.2.1');
    await usage.stop();
    assert.deepEqual(await times(), [START + 700, null]);

    const late = new KeyUsage(db, assert.ifError);
    late.record(first.accountId, first.keyId, START + 600, '192.0.2.1');
    await late.stop();
    assert.deepEqual(await times(), [START + 700, null]);
  });

  test('the use of a key is written a minute later if the first attempt fails', async (t) => {
    const { db, first, times } = await start(t, open);
    let isAvailable = false;
    const broken = new Proxy(db, {
      get: (target) => (isAvailable ? target.transaction.bind(target) : fail),
    });
    const failed = Promise.withResolvers<unknown>();
    const usage = new KeyUsage(broken, failed.resolve);
    usage.record(first.accountId, first.keyId, START, '192.0.2.1');
    t.mock.timers.tick(500);
    assert.match(String(await failed.promise), /no database/);
    await usage.written();
    isAvailable = true;
    t.mock.timers.tick(60_000);
    await usage.written();
    assert.deepEqual(await times(), [START, null]);
  });
});

async function start(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  // Mocks the clock first: a timer set by the real clock could not be cleared, and would keep the process alive.
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START });
  const { db } = await open(t);
  const { accountId, userId } = await makeAccount(db);
  const { keyId } = await db
    .selectFrom('api_keys')
    .select('id as keyId')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const { id } = await db
    .transaction()
    .execute((trx) => issueApiKey(trx, accountId, { userId, name: 'Second', expiresAt: null }));
  return {
    db,
    usage: new KeyUsage(db, assert.ifError),
    first: { accountId, keyId },
    second: { accountId, keyId: id },
    times: () => lastUsed(db),
  };
}

async function lastUsed(db: Db): Promise<Array<number | null>> {
  const rows = await db.selectFrom('api_keys').select('last_used_at').orderBy('id').execute();
  return rows.map(({ last_used_at }) => last_used_at);
}

function fail(): never {
  throw new Error('no database');
}
