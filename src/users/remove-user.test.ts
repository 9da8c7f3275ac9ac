import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { makeUser } from '../../test/person.ts';
import { findLink, makeLink } from './one-time-links.ts';
import { removeUser } from './remove-user.ts';
import { restoreUser } from './restore-user.ts';

onEachDatabase('removing a user', (open) => {
  test('a link that was mailed to a user before they were removed does not work when they are restored', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const { id } = await makeUser(db, accountId);
    const transaction = db.transaction();
    const token = await transaction.execute((trx) => makeLink(trx, accountId, id, 'reset_password'));
    await findLink(db, token, ['reset_password']);
    await transaction.execute((trx) => removeUser(trx, accountId, { userId: id, by: { userId, role: 'owner' } }));
    await transaction.execute((trx) => restoreUser(trx, accountId, id, 'owner'));
    await assert.rejects(findLink(db, token, ['reset_password']), { code: 'not_found' });
  });
});
