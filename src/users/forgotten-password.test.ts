import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount, settings } from '../../test/factories.ts';
import { overlapping } from '../../test/overlap.ts';
import { makeUser } from '../../test/person.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { setEmail } from './change-email.ts';
import { mailPasswordLinks } from './forgotten-password.ts';

const clientInfo = { ip: '192.0.2.1', network: '192.0.2.1', userAgent: 'Test' };

onEachDatabase('links for a forgotten password', (open) => {
  test('no password link is mailed to an address that its user gives up while the link is requested', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const { id, email } = await makeUser(db, accountId);
    await overlapping(
      db,
      async (trx) => {
        await lockAccount(trx, accountId);
        await setEmail(trx, accountId, id, 'ann@new.example');
      },
      () => mailPasswordLinks(db, { email, clientInfo }, settings),
    );
    assert.deepEqual(await db.selectFrom('outbox').select('to_email').execute(), []);
    assert.deepEqual(await db.selectFrom('one_time_links').select('id').execute(), []);
  });
});
