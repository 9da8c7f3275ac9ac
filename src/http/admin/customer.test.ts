import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount, makeCustomer, settings } from '../../../test/factories.ts';
import { Person, signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';
import { createCustomer } from '../../accounts/create-customer.ts';
import { prepareInvitedCustomer } from '../../accounts/prepare-invited-customer.ts';
import { operator } from '../../audit/record-audit-event.ts';
import { retirePlan } from '../../plans/change-plan.ts';
import { createPlan } from '../../plans/plans.ts';

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

  test('login instructions can be sent again, also to a corrected address, and replace earlier links', async (t) => {
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

  test('sent login instructions are shown without the secret of their link, and other mail is not shown', async (t) => {
    const { service, db, person, id, secrets } = await start(t);
    const [secret] = await secrets();
    const { mail } = (await person.get(`customers/${id}`)).json;
    assert.deepEqual([mail.length, mail[0].hasText], [1, true]);
    const shown = await person.get(`customer-messages/${mail[0].id}`);
    const { to, subject, text } = shown.json;
    assert.deepEqual([to, subject], ['ann@example.com', 'Your website Bakery is ready']);
    assert.match(text, /^Hello Ann,\n/);
    assert.match(text, /\nhttp:\/\/localhost:8080\/reset-password#token=•+\n/);
    assert.ok(!shown.text.includes(secret!));
    const stranger = await signedInAs(service, db, (await makeAccount(db)).accountId);
    assert.equal((await stranger.get(`customer-messages/${mail[0].id}`)).status, 404);
    await db
      .transaction()
      .execute((trx) => sql`update outbox set subject = 'Your new password', kind = 'forgotten_password'`.execute(trx));
    assert.equal((await person.get(`customers/${id}`)).json.mail[0].hasText, false);
    assert.equal((await person.get(`customer-messages/${mail[0].id}`)).status, 404);
  });

  test("the picture of a customer is its site's home page, once a page is published", async (t) => {
    const { db, person, id } = await start(t);
    assert.equal((await person.get(`customers/${id}`)).json.hasPage, false);
    assert.equal((await person.get(`customers/${id}/picture`)).status, 404);
    await db
      .transaction()
      .execute((trx) => trx.updateTable('pages').set({ status: 'published' }).where('account_id', '=', id).execute());
    assert.equal((await person.get(`customers/${id}`)).json.hasPage, true);
    const { status, headers, text } = await person.get(`customers/${id}/picture`);
    assert.equal(status, 200);
    assert.match(text, /<h1/);
    assert.match(String(headers['content-security-policy']), /^sandbox; default-src 'none'/);
  });

  test('the log of a customer lists the account’s actions on it, 20 at a time', async (t) => {
    const { person, id } = await start(t);
    for (let time = 0; time < 11; time++) {
      await person.post(`customers/${id}/suspend`, { reason: 'Unpaid' });
      await person.post(`customers/${id}/restore`, { seenReason: 'Unpaid' });
    }
    const { entries, hasMore } = (await person.get(`customers/${id}/log`)).json;
    assert.deepEqual([entries.length, hasMore, entries[0].action], [20, true, 'customer.restored']);
    const rest = (await person.get(`customers/${id}/log?before=${entries.at(-1).id}`)).json;
    assert.deepEqual(
      [rest.entries.map(({ action }: { action: string }) => action), rest.hasMore],
      [['customer.restored', 'customer.suspended', 'customer.created'], false],
    );
  });

  test('login instructions to an invalid address are refused', async (t) => {
    const { person, id, secrets, first } = await start(t);
    const refused = await person.post(`customers/${id}/instructions`, { email: 'anna' });
    assert.equal(refused.status, 422);
    assert.deepEqual(refused.json.error.fields, [{ field: 'email', code: 'not_a_mail_address' }]);
    assert.equal((await secrets()).length, 1);
    assert.equal((await first()).email, 'ann@example.com');
  });

  test('a customer shows whether its first user has opened the link and signed in', async (t) => {
    const { service, person, id, secrets, first } = await start(t);
    const worksUntil = async () => (await person.get(`customers/${id}`)).json.linkWorksUntil;
    assert.ok((await worksUntil()) > Date.now());
    const { openedLinkAt, hasSignedIn } = await first();
    assert.deepEqual([openedLinkAt, hasSignedIn], [null, false]);
    const [token] = await secrets();
    const chosen = await new Person(service).post('reset-password', { token, password: 'rise early 4 bread' });
    assert.deepEqual([chosen.status, chosen.json], [200, { signedIn: true }]);
    const after = await first();
    assert.ok(after.openedLinkAt > 0);
    assert.deepEqual([after.hasSignedIn, await worksUntil()], [true, null]);
    const refused = await person.post(`customers/${id}/instructions`);
    assert.deepEqual([refused.status, refused.json.error.why.reason], [409, 'invitation_accepted']);
  });

  test('login instructions cannot be sent to a customer of another account', async (t) => {
    const { db, person } = await start(t);
    const other = await makeAccount(db);
    const foreign = await makeCustomer(db, other.accountId);
    assert.equal((await person.post(`customers/${foreign}/instructions`)).status, 404);
  });

  const form = { name: 'Café', subdomain: 'cafe', userName: 'Carla', email: 'carla@example.com', language: 'de' };

  test('a customer is created with a plan and a language, and its first user gets a link by mail', async (t) => {
    const { db, accountId, person } = await start(t);
    const input = { name: 'Business', price: '49', interval: 'month', isDefault: false };
    const planId = await db.transaction().execute((trx) => createPlan(trx, accountId, input, operator));
    const created = await person.post('customers', { ...form, planId });
    assert.equal(created.status, 201);
    const { json } = await person.get(`customers/${created.json.id}`);
    assert.deepEqual([json.name, json.subdomain, json.plan.name], ['Café', 'cafe', 'Business']);
    assert.deepEqual([json.people[0].hasPassword, json.mail[0].to], [false, 'carla@example.com']);
    const { language } = await db
      .selectFrom('accounts')
      .select('language')
      .where('subdomain', '=', 'cafe')
      .executeTakeFirstOrThrow();
    assert.equal(language, 'de');
  });

  test('a form that is sent twice creates one customer', async (t) => {
    const { db, person } = await start(t);
    const replies = await Promise.all([person.post('customers', form), person.post('customers', form)]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 201]);
    assert.equal(replies[0].json.id, replies[1].json.id);
    assert.equal((await person.get(`customers/${replies[0].json.id}`)).json.mail.length, 1);
    const another = await person.post('customers', { ...form, email: 'other@example.com' });
    assert.deepEqual(another.json.error.fields, [{ field: 'subdomain', code: 'taken' }]);
    await db
      .transaction()
      .execute((trx) => sql`update accounts set created_at = 1 where subdomain = 'cafe'`.execute(trx));
    assert.equal((await person.post('customers', form)).status, 422);
  });

  test('an invalid customer is refused with every wrong field', async (t) => {
    const { db, accountId, person } = await start(t);
    const wrong = await person.post('customers', {
      name: '',
      subdomain: 'www',
      userName: ' ',
      email: 'x',
      language: 'german',
    });
    assert.equal(wrong.status, 422);
    assert.deepEqual(
      wrong.json.error.fields.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
      ['name blank', 'subdomain reserved', 'userName blank', 'email not_a_mail_address', 'language not_a_language'],
    );
    const input = { name: 'Old', price: '49', interval: 'month', isDefault: false };
    const planId = await db.transaction().execute(async (trx) => {
      const id = await createPlan(trx, accountId, input, operator);
      await retirePlan(trx, accountId, id, operator);
      return id;
    });
    for (const id of [planId, 999_999]) {
      const refused = await person.post('customers', { ...form, planId: id });
      assert.deepEqual(refused.json.error.fields, [{ field: 'planId', code: 'not_included' }]);
    }
    assert.equal((await person.get('customers/subdomain?subdomain=cafe')).json.problem, null);
  });

  test('a subdomain is checked: free, taken, reserved or invalid', async (t) => {
    const { person } = await start(t);
    const check = async (subdomain: string) => (await person.get(`customers/subdomain?subdomain=${subdomain}`)).json;
    assert.match((await check('Cafe')).address, /^http:\/\/cafe\./);
    assert.deepEqual(await check('bakery'), { address: null, problem: { field: 'subdomain', code: 'taken' } });
    assert.deepEqual((await check('www')).problem, { field: 'subdomain', code: 'reserved' });
    assert.deepEqual((await check('a_b')).problem, { field: 'subdomain', code: 'not_a_subdomain' });
  });
});
