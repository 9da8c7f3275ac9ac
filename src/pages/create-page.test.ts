import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makePage } from '../../test/factories.ts';

onEachDatabase('creating a page', (open) => {
  test('exactly one of 50 simultaneous creations with the same name succeeds', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, () => makePage(db, accountId, { name: 'Prices', userId })),
    );
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const result of results) {
      if (result.status === 'rejected') {
        assert.deepEqual(result.reason.fields, [{ field: 'name', code: 'taken' }]);
      }
    }
  });
});
