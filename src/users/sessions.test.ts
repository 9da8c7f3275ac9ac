import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { makeUser } from '../../test/person.ts';
import { findSession, startSession } from './sessions.ts';

onEachDatabase('finding a session', (open) => {
  test('a session of a removed user is not found, even if nothing has ended it', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const { id } = await makeUser(db, accountId);
    const clientInfo = { ip: '192.0.2.1', network: '192.0.2.1', userAgent: '' };
    const start = { userId: id, clientInfo };
    const token = await db.transaction().execute((trx) => startSession(trx, accountId, start));
    assert.equal((await findSession(db, token))?.userId, id);
    await db.transaction().execute(async (trx) => {
      const removed = trx.updateTable('users').set({ removed_at: Date.now() });
      await removed.where('account_id', '=', accountId).where('id', '=', id).execute();
    });
    assert.equal(await findSession(db, token), undefined);
  });
});
