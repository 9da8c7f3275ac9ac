import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../test/factories.ts';
import { makeUser } from '../../test/person.ts';
import type { Db } from '../db/database.ts';
import { findSender } from './find-sender.ts';
import { replyAddressOfUser } from './reply-address.ts';

onEachDatabase('the address that takes replies', (open) => {
  test('replies go to the owner of the selling account, or of a top-level account itself', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const customerId = await makeCustomer(db, accountId);
    assert.equal(await replyAddress(db, accountId), 'olivia@example.com');
    assert.equal(await replyAddress(db, customerId), 'olivia@example.com');
    assert.equal(await replyAddress(db, customerId + 1), null);
  });

  test('replies go to nobody if the owner’s address is unproved and the account is not top-level', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const customerId = await makeCustomer(db, accountId);
    const thirdId = await makeCustomer(db, customerId);
    const owner = await ownerOf(db, customerId);
    assert.equal(await replyAddress(db, thirdId), null);
    assert.equal(await replyAddressOfUser(db, customerId, owner), null);
    await change(db, owner, { address_proved_at: 1 });
    assert.equal(await replyAddress(db, thirdId), 'carl@example.com');
    assert.equal(await replyAddressOfUser(db, customerId, owner), 'carl@example.com');
    assert.equal(await replyAddressOfUser(db, accountId, owner), null, 'a user of another account must not be found');
  });

  test('removed users, invented addresses and non-ASCII addresses get no replies', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    await makeUser(db, accountId, { role: 'admin' });
    const owner = await ownerOf(db, accountId);
    for (const email of ['owner@localhost', 'zoë@example.com']) {
      await change(db, owner, { email });
      assert.equal(await replyAddress(db, accountId), null);
    }
    await change(db, owner, { email: 'olivia@example.com', removed_at: 1 });
    assert.equal(await replyAddress(db, accountId), null);
  });
});

async function replyAddress(db: Db, accountId: number): Promise<string | null> {
  return (await findSender(db, accountId, 'invitation')).replyTo;
}

async function ownerOf(db: Db, accountId: number): Promise<number> {
  const owners = db.selectFrom('users').select('id').where('account_id', '=', accountId).where('role', '=', 'owner');
  return (await owners.executeTakeFirstOrThrow()).id;
}

async function change(db: Db, id: number, values: { email?: string; address_proved_at?: number; removed_at?: number }) {
  await db.transaction().execute((trx) => trx.updateTable('users').set(values).where('id', '=', id).execute());
}
