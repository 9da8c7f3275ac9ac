import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { raiseContentVersion } from './content-version.ts';
import { raiseCustomersVersion } from './customers-version.ts';

onEachDatabase('versions of an account', (open) => {
  test('a content version is the time in milliseconds, or one more if the clock stands still or goes back', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const now = Date.now() + 60_000;
    const raiseAt = (at: number) => db.transaction().execute((trx) => raiseContentVersion(trx, accountId, at));
    assert.equal((await raiseAt(now)).version, now);
    assert.equal((await raiseAt(now)).version, now + 1);
    assert.equal((await raiseAt(now - 30_000)).version, now + 2);
    assert.equal((await raiseAt(now + 1000)).version, now + 1000);
  });

  test('raising the customers version sets it to the time in milliseconds, or later', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const before = Date.now();
    await db.transaction().execute((trx) => raiseCustomersVersion(trx, accountId));
    const { customers_version: version } = await db
      .selectFrom('accounts')
      .select('customers_version')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    assert.ok(version >= before);
  });
});
