import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import type { Db } from '../db/database.ts';
import { issueApiKey } from './issue-api-key.ts';
import { KeyUsage } from './key-usage.ts';

const START = 1_800_000_000_000;

onEachDatabase('when a key was last used', (open) => {
  test('is written down within half a second of its first use', async (t) => {
    const { usage, first, times } = await begin(t, open);
    usage.record(first.accountId, first.keyId, Date.now(), '192.0.2.1');
    t.mock.timers.tick(499);
    assert.deepEqual(await times(), [null, null]);
    t.mock.timers.tick(1);
    await usage.written();
    assert.deepEqual(await times(), [START, null]);
  });

  test('costs each key at most one write a minute', async (t) => {
    const { usage, first, second, times } = await begin(t, open);
    usage.record(first.accountId, first.keyId, START, '192.0.2.1');
    t.mock.timers.tick(500);
    await usage.written();
    assert.deepEqual(await times(), [START, null]);
    // Another key's write does not take the first one's with it, whose minute is not over.
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

  test('is written down at the end, whatever was written before, and never goes back', async (t) => {
    const { db, usage, first, times } = await begin(t, open);
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

  test('is written down a minute later where it could not be', async (t) => {
    const { db, first, times } = await begin(t, open);
    let working = false;
    const broken = new Proxy(db, {
      get: (target) => (working ? target.transaction.bind(target) : fail),
    });
    const failed = Promise.withResolvers<unknown>();
    const usage = new KeyUsage(broken, failed.resolve);
    usage.record(first.accountId, first.keyId, START, '192.0.2.1');
    t.mock.timers.tick(500);
    assert.match(String(await failed.promise), /no database/);
    await usage.written();
    working = true;
    t.mock.timers.tick(60_000);
    await usage.written();
    assert.deepEqual(await times(), [START, null]);
  });
});

async function begin(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  // Before anything else: a timer that was set by the real clock cannot be cleared, and holds the process up.
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
