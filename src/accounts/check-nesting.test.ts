import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { actor, makeAccount, makeCustomer, unique } from '../../test/factories.ts';
import { startService } from '../../test/service.ts';
import { issueApiKey } from '../api-keys/issue-api-key.ts';
import { startImport } from '../customer-imports/start-import.ts';
import { MAX_ACCOUNT_LEVELS } from './check-nesting.ts';

onEachDatabase('levels of accounts', (open) => {
  test('an account on the last level can have no customers, created or imported', async (t) => {
    const database = await open(t);
    const { db } = database;
    const { accountId: topLevelId } = await makeAccount(db);
    let last = topLevelId;
    for (let level = 2; level <= MAX_ACCOUNT_LEVELS; level++) last = await makeCustomer(db, last);
    const { id: userId } = await db
      .selectFrom('users')
      .select('id')
      .where('account_id', '=', last)
      .executeTakeFirstOrThrow();
    const { key } = await db
      .transaction()
      .execute((trx) => issueApiKey(trx, last, { userId, name: 'Programs', expiresAt: null }));

    const service = await startService(t, database);
    const created = await service.createCustomer(key, { account_subdomain: unique('deep') });
    assert.deepEqual(created.outcome, [422, { response: false, errors: ['Account is nested too deeply'] }]);
    const why = { reason: 'customers_nested_too_deeply', params: { max: MAX_ACCOUNT_LEVELS } };
    await assert.rejects(makeCustomer(db, last), { code: 'conflict', why });
    const lines = [{ number: 2, cells: ['Bakery', 'bakery', 'Ann', 'ann@example.com'] }];
    const columns = { account_name: 0, account_subdomain: 1, user_name: 2, user_email: 3 };
    const file = { fileName: 'customers.csv', fileHash: 'hash', lines, columns };
    await assert.rejects(
      db.transaction().execute((trx) => startImport(trx, last, file, actor(userId))),
      { code: 'conflict', why },
    );
    const customers = db.selectFrom('accounts').select('id').where('parent_id', '=', last);
    assert.deepEqual(await customers.execute(), []);
  });
});
