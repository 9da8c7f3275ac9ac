import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../test/factories.ts';
import { makeUser, tokenFor } from '../../test/person.ts';
import { endSessions } from '../users/end-sessions.ts';
import { findFirstScreen } from './first-screen.ts';

onEachDatabase('first screen', (open) => {
  test('the first screen is the overview for people who see an account’s customers, and the pages for others', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db, 'agency');
    const screenOf = async (account: number, role: 'owner' | 'accountant' | 'editor') => {
      const { id } = await makeUser(db, account, { role });
      return findFirstScreen(db, await tokenFor(db, account, id));
    };
    assert.equal(await screenOf(accountId, 'owner'), 'pages', 'without a customer, there is no overview in the menu');
    const customer = await makeCustomer(db, accountId);
    assert.equal(await screenOf(accountId, 'owner'), 'overview');
    assert.equal(await screenOf(accountId, 'accountant'), 'overview');
    assert.equal(await screenOf(accountId, 'editor'), 'pages');
    assert.equal(await screenOf(customer, 'owner'), 'pages');
  });

  test('there is no first screen for an ended session or an unknown token', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db, 'agency');
    const { id } = await makeUser(db, accountId, {});
    const token = await tokenFor(db, accountId, id);
    await db.transaction().execute((trx) => endSessions(trx, accountId, id));
    assert.equal(await findFirstScreen(db, token), undefined);
    assert.equal(await findFirstScreen(db, 'x'.repeat(43)), undefined);
  });
});
