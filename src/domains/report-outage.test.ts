import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { makeUser } from '../../test/person.ts';
import { operator } from '../audit/record-audit-event.ts';
import { addDomain } from './add-domain.ts';
import { reportOutage } from './report-outage.ts';

onEachDatabase('domain outage messages', (open) => {
  test('outage messages reach users with proved addresses, even if others flood their mailbox', async (t) => {
    const { db } = await open(t);
    const report = async (accountId: number, host: string) =>
      db.transaction().execute(async (trx) => {
        await reportOutage(trx, await addDomain(trx, accountId, host, operator), [], 'no-reply@example.com');
      });
    const told = async (accountId: number) => {
      const mail = db.selectFrom('outbox').select('to_email').where('account_id', '=', accountId);
      return (await mail.execute()).map(({ to_email }) => to_email);
    };
    const email = 'olive@bakery.example';
    const { accountId: attacker } = await makeAccount(db, 'attacker');
    await makeUser(db, attacker, { email, role: 'admin' });
    for (let number = 0; number < 12; number++) await report(attacker, `site-${number}.example`);
    const flood = (await told(attacker)).filter((to) => to === email);
    assert.equal(flood.length, 10, 'a mailbox gets at most ten messages a day');

    const { accountId } = await makeAccount(db, 'bakery');
    const { id } = await makeUser(db, accountId, { email, role: 'admin' });
    await db
      .transaction()
      .execute((trx) => trx.updateTable('users').set({ address_proved_at: 1 }).where('id', '=', id).execute());
    await report(accountId, 'bakery.example');
    assert.ok((await told(accountId)).includes(email));
  });

  test('a suspended account gets no outage messages', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    await db
      .transaction()
      .execute((trx) => trx.updateTable('accounts').set({ status: 'suspended' }).where('id', '=', accountId).execute());
    await db.transaction().execute(async (trx) => {
      await reportOutage(trx, await addDomain(trx, accountId, 'bakery.example', operator), [], 'no-reply@example.com');
    });
    assert.deepEqual(await db.selectFrom('outbox').select('id').execute(), []);
  });
});
