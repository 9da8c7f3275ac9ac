import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount, makeCustomer, settings } from '../../../test/factories.ts';
import { Person, signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';
import { createCustomer } from '../../accounts/create-customer.ts';
import { prepareInvitedCustomer } from '../../accounts/prepare-invited-customer.ts';
import { operator } from '../../audit/record-audit-event.ts';

onEachDatabase('one customer of an account', (open) => {
  async function start(t: Parameters<typeof open>[0]) {
    const started = await startWithAccount(t, open);
    const { service, db, accountId } = started;
    const person = await signedInAs(service, db, accountId, 'admin');
    const values = { accountName: 'Bakery', subdomain: 'bakery', userName: 'Ann', userEmail: 'ann@example.com' };
    const prepared = await prepareInvitedCustomer(db, accountId, values);
    const id = await db.transaction().execute((trx) => createCustomer(trx, accountId, prepared, settings, operator));
    const secrets = async () => {
      const messages = await db.selectFrom('outbox').selectAll().where('account_id', '=', id).orderBy('id').execute();
      return messages.map(({ secret }) => secret!);
    };
    const first = async () => (await person.get(`customers/${id}`)).json.people[0];
    return { ...started, person, id, secrets, first };
  }

  test('is mailed the login instructions again, also to a corrected address', async (t) => {
    const { person, id, secrets } = await start(t);
    const again = await person.post(`customers/${id}/instructions`);
    assert.deepEqual([again.status, again.json], [200, { email: 'ann@example.com' }]);
    const corrected = await person.post(`customers/${id}/instructions`, { email: ' anna@example.com ' });
    assert.deepEqual(corrected.json, { email: 'anna@example.com' });
    const works = async (token: string) => (await person.post('one-time-link', { token })).status;
    const statuses = await Promise.all((await secrets()).map(works));
    assert.deepEqual(statuses, [404, 404, 200]);
    const { json } = await person.get(`customers/${id}`);
    assert.deepEqual(json.people[0].email, 'anna@example.com');
    assert.deepEqual(
      json.mail.map(({ to }: { to: string }) => to),
      ['anna@example.com', 'ann@example.com', 'ann@example.com'],
    );
  });

  test('is not mailed at what is no address', async (t) => {
    const { person, id, secrets, first } = await start(t);
    const refused = await person.post(`customers/${id}/instructions`, { email: 'anna' });
    assert.equal(refused.status, 422);
    assert.deepEqual(refused.json.error.fields, [{ field: 'email', code: 'not_a_mail_address' }]);
    assert.equal((await secrets()).length, 1);
    assert.equal((await first()).email, 'ann@example.com');
  });

  test('shows whether its first person has opened the link and signed in', async (t) => {
    const { service, person, id, secrets, first } = await start(t);
    const { openedLinkAt, hasSignedIn } = await first();
    assert.deepEqual([openedLinkAt, hasSignedIn], [null, false]);
    const [token] = await secrets();
    const chosen = await new Person(service).post('reset-password', { token, password: 'rise early 4 bread' });
    assert.deepEqual([chosen.status, chosen.json], [200, { signedIn: true }]);
    const after = await first();
    assert.ok(after.openedLinkAt > 0);
    assert.equal(after.hasSignedIn, true);
    const refused = await person.post(`customers/${id}/instructions`);
    assert.deepEqual([refused.status, refused.json.error.why.reason], [409, 'invitation_accepted']);
  });

  test('is mailed nothing by another account', async (t) => {
    const { db, person } = await start(t);
    const other = await makeAccount(db);
    const foreign = await makeCustomer(db, other.accountId);
    assert.equal((await person.post(`customers/${foreign}/instructions`)).status, 404);
  });
});
