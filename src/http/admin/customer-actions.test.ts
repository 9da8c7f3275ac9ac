import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeCustomer, settings } from '../../../test/factories.ts';
import { makeUser, PASSWORD, Person, signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';
import { createCustomer } from '../../accounts/create-customer.ts';
import { DELETION_PERIOD_MS } from '../../accounts/customer-change.ts';
import { deleteCustomer, deleteDueCustomers } from '../../accounts/delete-customer.ts';
import { prepareInvitedCustomer } from '../../accounts/prepare-invited-customer.ts';
import { operator } from '../../audit/record-audit-event.ts';
import { retirePlan } from '../../plans/change-plan.ts';
import { createPlan } from '../../plans/plans.ts';

onEachDatabase('actions on one customer', (open) => {
  async function start(t: Parameters<typeof open>[0]) {
    const started = await startWithAccount(t, open);
    const { service, db, accountId } = started;
    const person = await signedInAs(service, db, accountId, 'admin');
    const { name: by } = (await person.get('session')).json.account;
    const customer = await makeCustomer(db, accountId, 'bakery');
    const send = (path: string, body: object = {}, method = 'POST') =>
      person.send(method, `customers/${customer}${path}`, body);
    const show = async () => (await person.get(`customers/${customer}`)).json;
    const freePlan = (await show()).planId as number;
    const addPlan = (name: string) =>
      db.transaction().execute((trx) => {
        const plan = { name, price: '49', interval: 'month', isDefault: false };
        return createPlan(trx, accountId, plan, operator);
      });
    return { ...started, by, person, customer, send, show, freePlan, addPlan };
  }

  test('the answer to a change of plan has the data to undo it', async (t) => {
    const { send, show, freePlan, addPlan } = await start(t);
    const planId = await addPlan('Business');
    const { status, json } = await send('/plan', { planId, seenPlanId: freePlan });
    assert.deepEqual([status, json.before.plan.name, json.now.plan.name], [200, 'Free', 'Business']);
    assert.equal((await show()).plan.priceCents, 4900);
    const undo = await send('/plan', { planId: json.before.plan.id, seenPlanId: json.now.plan.id });
    assert.deepEqual([undo.status, (await show()).planId], [200, freePlan]);
  });

  test('of two concurrent changes of plan, one is made, and the other is refused with the new plan', async (t) => {
    const { send, show, freePlan, addPlan } = await start(t);
    const plans = { Business: await addPlan('Business'), Studio: await addPlan('Studio') };
    const answers = await Promise.all(
      Object.values(plans).map((planId) => send('/plan', { planId, seenPlanId: freePlan })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    const { name } = (await show()).plan;
    const refused = answers.find(({ status }) => status === 409)!;
    assert.deepEqual(refused.json.error.why, { reason: 'customer_on_other_plan', params: { plan: name } });
    // The refused change is accepted if it asks for the plan that the customer has by now.
    const same = plans[name as keyof typeof plans];
    assert.equal((await send('/plan', { planId: same, seenPlanId: freePlan })).status, 200);
    assert.equal((await show()).history.length, 2);
  });

  test('a customer gets a retired plan only by undoing the last change of plan', async (t) => {
    const { db, accountId, send, freePlan, addPlan } = await start(t);
    const [planId, retired] = [await addPlan('Business'), await addPlan('Retired')];
    const retire = (id: number) => db.transaction().execute((trx) => retirePlan(trx, accountId, id, operator));
    await retire(retired);
    assert.equal((await send('/plan', { planId: retired, seenPlanId: freePlan })).status, 409);
    await send('/plan', { planId, seenPlanId: freePlan });
    const other = await addPlan('Studio');
    await send('/plan', { planId: other, seenPlanId: planId });
    await retire(planId);
    assert.equal((await send('/plan', { planId, seenPlanId: other })).status, 200);
    await send('/plan', { planId: other, seenPlanId: planId });
    await send('/plan', { planId: freePlan, seenPlanId: other });
    assert.equal((await send('/plan', { planId, seenPlanId: freePlan })).status, 409);
  });

  test("the reason of a suspension is shown to the customer's users when they sign in, and not to strangers", async (t) => {
    const { service, db, by, customer, send, show } = await start(t);
    const { email } = await makeUser(db, customer, { email: 'berta@example.com' });
    const berta = new Person(service);
    await berta.post('sign-in', { email, password: PASSWORD });
    const because = 'The invoice of May is open.';
    const { status, json } = await send('/suspend', { reason: ` ${because} ` });
    assert.deepEqual([status, json.before.status, json.now.suspensionReason], [200, 'active', because]);
    const why = { reason: 'suspended_by', params: { by, because } };
    const answers = [
      await new Person(service).post('sign-in', { email, password: PASSWORD }),
      await berta.get('session'),
    ];
    const [signIn, session] = answers;
    assert.deepEqual([signIn?.status, signIn?.json.error.why], [403, why]);
    assert.deepEqual([session?.status, session?.json.error.why], [403, why]);
    const stranger = await new Person(service).post('sign-in', { email, password: 'wrong password' });
    assert.deepEqual([stranger.status, stranger.json.error.why], [401, undefined]);

    assert.equal((await show()).suspensionReason, because);
    assert.equal((await send('/restore', { seenReason: because })).json.now.suspensionReason, null);
    assert.equal((await berta.get('session')).status, 200);
  });

  test('a suspension with a reason of more than 500 characters is refused', async (t) => {
    const { send, show } = await start(t);
    const { status, json } = await send('/suspend', { reason: 'x'.repeat(501) });
    assert.deepEqual([status, json.error.fields[0].field, json.error.fields[0].code], [422, 'reason', 'too_long']);
    assert.equal((await show()).status, 'active');
  });

  test('of two concurrent suspensions, one is made, and the other is refused with the reason of the first', async (t) => {
    const { send, show } = await start(t);
    const answers = await Promise.all(['One', 'Two'].map((reason) => send('/suspend', { reason })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    const because = (await show()).suspensionReason;
    const refused = answers.find(({ status }) => status === 409)!;
    assert.deepEqual(refused.json.error.why, { reason: 'customer_suspended_already', params: { because } });
    const restored = await send('/restore', { seenReason: 'Some other reason' });
    assert.deepEqual(restored.json.error.why, { reason: 'customer_not_suspended_so', params: { because } });
    assert.equal((await show()).status, 'suspended');
  });

  test('a deleted customer is offline and only in the list of deleted customers, and can be restored', async (t) => {
    const { service, db, by, person, customer, send, show } = await start(t);
    const { email } = await makeUser(db, customer, { email: 'berta@example.com' });
    const { status, json } = await send('', {}, 'DELETE');
    assert.deepEqual([status, json.before.deletesAt], [200, null]);
    const { deletesAt } = json.now;
    assert.ok(Math.abs(deletesAt - Date.now() - DELETION_PERIOD_MS) < 60_000);
    assert.deepEqual((await person.get('customers')).json.customers, []);
    assert.deepEqual((await person.get('customers?q=bakery')).json.customers, []);
    const deleted = { id: customer, name: 'Customer bakery', subdomain: 'bakery', deletesAt };
    assert.deepEqual((await person.get('customers/deleted')).json.customers, [deleted]);
    const signIn = await new Person(service).post('sign-in', { email, password: PASSWORD });
    assert.deepEqual(signIn.json.error.why, { reason: 'deleted_by', params: { by, until: deletesAt } });

    for (const [path, body] of [
      ['/suspend', { reason: 'Because' }],
      ['/restore', { seenReason: null }],
    ] as const) {
      const refused = await send(path, body);
      assert.deepEqual([refused.status, refused.json.error.why], [409, { reason: 'customer_deleted' }], path);
    }
    // Deleting the customer again changes nothing.
    assert.equal((await send('', {}, 'DELETE')).json.now.deletesAt, deletesAt);
    assert.equal((await send('/undelete')).json.now.status, 'active');
    assert.deepEqual((await person.get('customers/deleted')).json.customers, []);
    const { status: present, history } = await show();
    assert.equal(present, 'active');
    assert.deepEqual(
      history.map(({ kind }: { kind: string }) => kind),
      ['restored', 'suspended', 'created'],
    );
  });

  test('a customer that was suspended before its deletion is restored as suspended, with the reason', async (t) => {
    const { send, show } = await start(t);
    await send('/suspend', { reason: 'Because' });
    await send('', {}, 'DELETE');
    await send('/undelete');
    const { status, suspensionReason, deletesAt } = await show();
    assert.deepEqual([status, suspensionReason, deletesAt], ['suspended', 'Because', null]);
  });

  test('a customer with customers of its own cannot be deleted', async (t) => {
    const { db, customer, send, show } = await start(t);
    await makeCustomer(db, customer);
    assert.equal((await send('', {}, 'DELETE')).status, 409);
    assert.equal((await show()).status, 'active');
  });

  test('a deleted customer is purged after 30 days, unless it is restored at the same time', async (t) => {
    const { db, accountId, person, customer } = await start(t);
    const kept = await makeCustomer(db, accountId, 'kept');
    const now = Date.now();
    await db.transaction().execute(async (trx) => {
      for (const id of [customer, kept]) await deleteCustomer(trx, accountId, id, operator, now - DELETION_PERIOD_MS);
      await deleteCustomer(trx, accountId, await makeNewCustomer(trx, accountId), operator, now + 1);
    });
    const due = () => deleteDueCustomers(db, tmpdir(), now);
    const [, , restored] = await Promise.all([due(), due(), person.post(`customers/${kept}/undelete`)]);
    const gone = await db.selectFrom('accounts').select(['name', 'deleted_at']).where('id', '=', customer).execute();
    assert.deepEqual([gone[0]?.name, gone[0]?.deleted_at !== null], ['Deleted account', true]);
    assert.equal((await person.get(`customers/${customer}`)).status, 404);
    // Either the restoration or the purge came first: the customer's status must match the answer.
    const there = (await person.get(`customers/${kept}`)).status;
    assert.equal(there, restored.status);
    assert.equal((await person.get('customers/deleted')).json.customers.length, 1);
    assert.equal(await due(), 0);
  });

  async function makeNewCustomer(trx: Parameters<typeof createCustomer>[0], accountId: number) {
    const values = { accountName: 'Later', subdomain: 'later', userName: 'Lara', userEmail: 'lara@example.com' };
    const prepared = await prepareInvitedCustomer(trx, accountId, values);
    return createCustomer(trx, accountId, prepared, settings, operator);
  }
});
