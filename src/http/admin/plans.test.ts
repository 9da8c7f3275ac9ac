import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeCustomer } from '../../../test/factories.ts';
import { signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';
import { changePlan, suspendCustomer } from '../../accounts/change-customer.ts';
import { operator } from '../../audit/record-audit-event.ts';

onEachDatabase('the plans of an account', (open) => {
  async function start(t: Parameters<typeof open>[0]) {
    const started = await startWithAccount(t, open);
    const person = await signedInAs(started.service, started.db, started.accountId, 'admin');
    const list = async () => (await person.get('plans')).json.plans;
    const create = async (input: object) => {
      const { status, json } = await person.send('POST', 'plans', { interval: 'month', ...input });
      assert.equal(status, 201, JSON.stringify(json));
      return json;
    };
    return { ...started, person, list, create };
  }

  test('plans are listed with their active customers and monthly revenue', async (t) => {
    const { db, accountId, list, create } = await start(t);
    const { id: planId } = await create({ name: 'Business', price: '100', interval: 'quarter' });
    for (const isSuspended of [false, false, true]) {
      const customerId = await makeCustomer(db, accountId);
      await db.transaction().execute(async (trx) => {
        await changePlan(trx, accountId, { customerId, planId }, operator);
        if (isSuspended) await suspendCustomer(trx, accountId, customerId, operator);
      });
    }
    const [free, business] = await list();
    assert.deepEqual([free.name, free.isDefault, free.activeCustomers, free.mrr], ['Free', true, 0, '0.00']);
    assert.deepEqual(business, {
      id: planId,
      name: 'Business',
      priceCents: 10_000,
      interval: 'quarter',
      isDefault: false,
      retiredAt: null,
      activeCustomers: 2,
      mrr: '66.67',
      description: '',
      trialDays: 0,
      trialCustomers: 0,
      limits: { pages: null, people: null, storage: null, domains: null },
    });
  });

  test('a plan can be created, renamed, made the default, retired and offered again', async (t) => {
    const { person, list, create } = await start(t);
    const { id } = await create({ name: 'Business', price: '49.00' });
    const send = async (path: string) => (await person.send('POST', `plans/${id}/${path}`, {})).json;
    assert.equal((await person.send('PATCH', `plans/${id}`, { name: 'Studio' })).json.name, 'Studio');
    assert.ok((await send('retire')).retiredAt <= Date.now());
    assert.equal((await send('restore')).retiredAt, null);
    assert.equal((await send('default')).isDefault, true);
    assert.deepEqual(
      (await list()).map(({ name, isDefault }: { name: string; isDefault: boolean }) => [name, isDefault]),
      [
        ['Free', false],
        ['Studio', true],
      ],
    );
  });

  test('the description, the limits and the position of a plan can be changed', async (t) => {
    const { person, list, create } = await start(t);
    const first = { pages: 10, people: 2, storage: 500, domains: 0 };
    const { id } = await create({ name: 'Small', price: '9', description: ' For a start ', ...first });
    const large = await create({ name: 'Large', price: '99' });
    const [, small] = await list();
    assert.deepEqual([small.id, small.description, small.limits], [id, 'For a start', first]);
    const changed = await person.send('PATCH', `plans/${id}`, { description: '', people: null, domains: 1 });
    assert.deepEqual(changed.json.limits, { ...first, people: null, domains: 1 });
    assert.equal(changed.json.description, '');
    const move = async (position: number) =>
      (await person.send('POST', `plans/${large.id}/move`, { position })).json.plans.map(
        ({ name }: { name: string }) => name,
      );
    assert.deepEqual(await move(1), ['Large', 'Free', 'Small']);
    assert.deepEqual(await move(2), ['Free', 'Large', 'Small']);
    assert.deepEqual(await move(99), ['Free', 'Small', 'Large']);
    const last = await create({ name: 'Last', price: '1' });
    assert.equal((await list()).at(-1).id, last.id);
  });

  test('a change of a plan is refused with every invalid field, such as limits out of range', async (t) => {
    const { person, create } = await start(t);
    const { id } = await create({ name: 'Small', price: '9' });
    const { status, json } = await person.send('PATCH', `plans/${id}`, {
      name: ' ',
      description: 'x'.repeat(1001),
      pages: 0,
      people: 0,
      storage: -1,
      domains: 2_000_000,
    });
    assert.equal(status, 422);
    assert.deepEqual(
      json.error.fields.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
      [
        ...['name blank', 'description too_long', 'pages count_out_of_range', 'people count_out_of_range'],
        ...['storage count_out_of_range', 'domains count_out_of_range'],
      ],
    );
  });

  test('a new plan is refused with every invalid field', async (t) => {
    const { person } = await start(t);
    const { status, json } = await person.send('POST', 'plans', { name: ' ', price: '4,9', interval: 'week' });
    assert.equal(status, 422);
    assert.deepEqual(
      json.error.fields.map(({ field, code }: { field: string; code: string }) => [field, code]),
      [
        ['name', 'blank'],
        ['price', 'not_an_amount'],
        ['interval', 'not_one_of'],
      ],
    );
    const taken = await person.send('POST', 'plans', { name: 'Free', price: '1', interval: 'month' });
    assert.deepEqual([taken.status, taken.json.error.fields[0].code], [422, 'taken']);
  });

  test('the default plan cannot be retired', async (t) => {
    const { person, list } = await start(t);
    const [free] = await list();
    const { status, json } = await person.send('POST', `plans/${free.id}/retire`, {});
    assert.deepEqual([status, json.error.code], [409, 'conflict']);
  });

  test('retiring the default plan and choosing a retired plan are refused with the reason', async (t) => {
    const { db, accountId, person, list, create } = await start(t);
    const { id } = await create({ name: 'Business', price: '49.00' });
    const [free] = await list();
    const refused = await person.send('POST', `plans/${free.id}/retire`, {});
    const why = { reason: 'plan_is_default', params: { plan: 'Free' } };
    assert.deepEqual([refused.status, refused.json.error.why], [409, why]);
    await person.send('POST', `plans/${id}/retire`, {});
    const customerId = await makeCustomer(db, accountId);
    const change = { planId: id, seenPlanId: free.id };
    const { json } = await person.send('POST', `customers/${customerId}/plan`, change);
    assert.deepEqual(json.error.why, { reason: 'plan_retired', params: { plan: 'Business' } });
  });
});
