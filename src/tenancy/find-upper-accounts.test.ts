import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../test/factories.ts';
import { findUpperAccounts } from './find-upper-accounts.ts';

onEachDatabase('the uppermost accounts', (open) => {
  test('the uppermost accounts are the top-level account and its customer, however many levels are below', async (t) => {
    const { db } = await open(t);
    const { accountId: topLevelId } = await makeAccount(db, 'acme');
    const customerId = await makeCustomer(db, topLevelId, 'bakery');
    const upper = { topLevelId, customerId };
    assert.deepEqual(await findUpperAccounts(db, customerId), upper);
    let below = customerId;
    for (let level = 0; level < 25; level++) below = await makeCustomer(db, below, `level-${level}`);
    assert.deepEqual(await findUpperAccounts(db, below), upper);
  });

  test('for a top-level account, both uppermost accounts are the account itself', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    assert.deepEqual(await findUpperAccounts(db, accountId), { topLevelId: accountId, customerId: accountId });
  });
});
