import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { actor, makeAccount, makeCustomer } from '../../../test/factories.ts';
import { startWithAccount } from '../../../test/service.ts';
import { changePlan } from '../../accounts/change-customer.ts';
import { issueApiKey } from '../../api-keys/issue-api-key.ts';
import type { Trx } from '../../db/database.ts';

const missing = { response: false, errors: 'The plan does not exist.' };

onEachDatabase('plans over the API', (open) => {
  test('a plan can be created and read, and is listed in order', async (t) => {
    const { create, send, list } = await setUp(t, open);
    const { json } = await create({
      name: ' Standard ',
      price: '19',
      interval: 'month',
      description: 'For shops',
      trial_days: '14',
      pages: '10',
      people: '',
      storage_mb: '500',
      domains: '1',
    });
    const { plan, ...rest } = json;
    assert.deepEqual(rest, { response: true, errors: [] });
    const { id, ...fields } = plan;
    assert.match(id, /^plan_\d+$/);
    assert.deepEqual(fields, {
      name: 'Standard',
      description: 'For shops',
      price: '19.00',
      interval: 'month',
      trial_days: 14,
      is_default: false,
      is_retired: false,
      customers_count: 0,
      limits: { pages: 10, people: null, storage: 500 * 2 ** 20, domains: 1 },
    });
    assert.deepEqual((await list())[1], plan);
    assert.deepEqual((await send('GET', `plans/${id}.json`)).json, { plan });
  });

  test('a plan can be changed, moved, made the default, retired and offered again', async (t) => {
    const { db, create, change, list } = await setUp(t, open);
    const [free] = await list();
    const { plan } = (await create({ name: 'Standard', price: '19.00', interval: 'month', pages: '10' })).json;
    const renamed = { ...plan, name: 'Studio', trial_days: 7, limits: { ...plan.limits, pages: null, people: 3 } };
    assert.deepEqual(await change(plan.id, { name: 'Studio', trial_days: '7', pages: '', people: '3' }), [
      200,
      { response: true, errors: [], plan: renamed },
    ]);
    const [, made] = await change(plan.id, { is_default: 'true', position: '1' });
    assert.equal(made.plan.is_default, true);
    assert.deepEqual(
      (await list()).map(({ name, is_default }) => [name, is_default]),
      [
        ['Studio', true],
        ['Free', false],
      ],
    );
    assert.equal((await change(free!.id, { is_retired: '1' }))[1].plan.is_retired, true);
    // A retired plan cannot become the default.
    assert.equal(
      (await change(free!.id, { is_default: '1' }))[1].errors,
      'The plan "Free" is retired. Restore it first, or choose another plan.',
    );
    const [, back] = await change(free!.id, { is_retired: 'false', is_default: 'true' });
    assert.deepEqual([back.plan.is_retired, back.plan.is_default], [false, true]);
    const actions = await db
      .selectFrom('audit_log')
      .select('action')
      .where('action', 'like', 'plan.%')
      .orderBy('id')
      .execute();
    assert.deepEqual(
      actions.map(({ action }) => action.slice('plan.'.length)),
      ['created', 'changed', 'made_default', 'moved', 'retired', 'restored', 'made_default'],
    );
  });

  test('an invalid plan or change of a plan is refused, and nothing is changed', async (t) => {
    const { create, change, list } = await setUp(t, open);
    const before = await list();
    for (const [fields, errors] of [
      [
        { name: '', price: '4,9', interval: 'week', trial_days: 'x', storage_mb: '-1' },
        [
          ['name', "can't be blank"],
          ['trial_days', 'must be a whole number from 0 to 365'],
          ['storage_mb', 'must be a whole number from 0 to 1000000000'],
          ['price', 'is not an amount between 0.00 and 9999999.99'],
          ['interval', 'is not one of month, quarter, year'],
        ],
      ],
      [{ name: 'Free', price: '1', interval: 'month' }, [['name', 'has already been taken']]],
      // Customers see the name within sentences of the app.
      [{ name: 'Free\u202e', price: '1', interval: 'month' }, [['name', 'contains a control character']]],
      [{ name: 'Free\nof charge', price: '1', interval: 'month' }, [['name', 'contains a control character']]],
      [
        { name: 'A', price: '1', interval: 'month', description: 'a\0b' },
        [['description', 'contains a NUL character']],
      ],
      [{ name: 'A', price: '1', interval: 'month', is_default: 'maybe' }, [['is_default', 'is not true or false']]],
    ] as const) {
      const { status, json } = await create(fields);
      assert.deepEqual([status, json], [422, { response: false, errors }]);
    }
    const [free] = before;
    for (const [fields, errors] of [
      [{ is_default: 'false' }, [['is_default', 'is not one of true']]],
      [{ name: 'New', position: '0' }, [['position', 'must be a whole number from 1 to 1000']]],
      [{ is_retired: '' }, undefined],
      [
        { name: 'New', is_retired: 'true' },
        'New customers are put on the plan "New". Make another plan the default first.',
      ],
    ] as const) {
      const [status, json] = await change(free!.id, fields);
      assert.deepEqual([status, json.errors], errors ? [422, errors] : [200, []]);
    }
    assert.deepEqual(await list(), before);
  });

  test('a plan beyond the limit of 1,000 is refused', async (t) => {
    const { db, accountId, create } = await setUp(t, open);
    const plan = { account_id: accountId, price_cents: 0, interval: 'month', is_default: 0, created_at: 1 } as const;
    const rows = Array.from({ length: 999 }, (_, index) => ({ ...plan, name: `Plan ${index}` }));
    await db.transaction().execute((trx) => trx.insertInto('plans').values(rows).execute());
    const { status, json } = await create({ name: 'One more', price: '1', interval: 'month' });
    const errors = 'There are already 1,000 plans, the most that are allowed. Offer a retired plan again instead.';
    assert.deepEqual([status, json], [422, { response: false, errors }]);
  });

  test('a retry with the same Idempotency-Key creates no second plan', async (t) => {
    const { send, list } = await setUp(t, open);
    const path = 'plans.json?plan[name]=Standard&plan[price]=19&plan[interval]=month';
    const first = await send('POST', path, { headers: { 'Idempotency-Key': 'one' } });
    const second = await send('POST', path, { headers: { 'Idempotency-Key': 'one' } });
    assert.equal(first.status, 200);
    assert.deepEqual(second.json, first.json);
    assert.equal((await list()).length, 2);
  });

  test('a price change can be previewed, scheduled, listed and undone', async (t) => {
    const { db, accountId, userId, create, send, list, priceChanges } = await setUp(t, open);
    const { id } = (await create({ name: 'Standard', price: '19', interval: 'month', pages: '5' })).json.plan;
    const planId = Number(id.slice('plan_'.length));
    const customerId = await makeCustomer(db, accountId);
    const run = (work: (trx: Trx) => Promise<unknown>) => db.transaction().execute(work);
    await run((trx) => changePlan(trx, accountId, { customerId, planId }, actor(userId)));
    const counts = { customers_count: 1, active_customers_count: 1, other_changes_count: 0 };
    assert.deepEqual((await send('GET', `plans/${id}/price.json?price=24`)).json, {
      ...counts,
      monthly_revenue: '19.00',
      new_monthly_revenue: '24.00',
    });
    assert.equal((await send('GET', `plans/${id}/price.json`)).json.new_monthly_revenue, '19.00');
    assert.equal((await send('GET', `plans/${id}/price.json?price=x`)).status, 400);

    const before = await list();
    const price = `plans/${id}/price.json?plan[name]=Standard+2`;
    const changed = (await send('POST', `${price}&plan[price]=24&plan[from]=2099-01-01`)).json;
    const { plan, ...rest } = changed;
    const [change] = await priceChanges();
    assert.deepEqual(rest, { response: true, errors: [], id: change!.id, customers_count: 1 });
    assert.deepEqual([plan.name, plan.price, plan.limits.pages], ['Standard 2', '24.00', 5]);
    const { id: changeId, ...described } = change!;
    assert.match(changeId, /^change_\d+$/);
    assert.deepEqual(described, { plan_id: id, new_plan_id: plan.id, from: '2099-01-01', customers_count: 1 });
    const scheduled = (await send('GET', 'scheduled-changes.json')).json.scheduled_changes;
    assert.deepEqual([scheduled[0].customer_id, scheduled[0].plan_id], [`account_${customerId}`, plan.id]);
    const undone = await send('DELETE', `price-changes/${changeId}.json`);
    assert.deepEqual(undone.json, { response: true, errors: [] });
    assert.deepEqual([await list(), await priceChanges()], [before, []]);
    const again = await send('DELETE', `price-changes/${changeId}.json`);
    assert.deepEqual([again.status, again.json.errors], [404, 'The price change does not exist.']);
    for (const [fields, error] of [
      ['&plan[price]=19.00', ['price', 'is the same as before']],
      ['&plan[price]=24&plan[from]=2001-01-01', ['from', 'is not after today']],
    ] as const) {
      const { status, json } = await send('POST', price + fields);
      assert.deepEqual([status, json.errors], [422, [error]]);
    }
    const kept = (await send('POST', `${price}&plan[price]=24`)).json;
    assert.deepEqual([kept.plan.price, kept.customers_count, await priceChanges()], ['24.00', 0, []]);
    assert.equal((await send('DELETE', `price-changes/${kept.id}.json`)).status, 200);
    assert.deepEqual(await list(), before);
  });

  test('scheduled changes are listed by day, in parts', async (t) => {
    const { db, accountId, create, send } = await setUp(t, open);
    const { id } = (await create({ name: 'Standard', price: '19', interval: 'month' })).json.plan;
    const customers = [await makeCustomer(db, accountId), await makeCustomer(db, accountId)];
    for (const [index, day] of ['2099-02-01', '2099-01-01'].entries()) {
      const path = `customers/account_${customers[index]}.json?customer[plan_id]=${id}&customer[plan_on]=${day}`;
      assert.equal((await send('PATCH', path)).status, 200);
    }
    const part = async (query = '') => (await send('GET', `scheduled-changes.json${query}`)).json;
    const whole = await part();
    const [first] = whole.scheduled_changes;
    const { customer_name, customer_subdomain, ...rest } = first;
    assert.ok(customer_name && customer_subdomain);
    assert.deepEqual(rest, {
      customer_id: `account_${customers[1]}`,
      on: '2099-01-01',
      failure: null,
      plan_id: id,
      plan_name: 'Standard',
      plan_price: '19.00',
      plan_interval: 'month',
    });
    const one = await part('?limit=1');
    assert.deepEqual(one.scheduled_changes, [first]);
    assert.deepEqual(await part(`?limit=1&after=${one.next}`), {
      scheduled_changes: whole.scheduled_changes.slice(1),
      next: null,
    });
    for (const query of ['?limit=0', '?after=x', '?after=2099-02-30_1']) {
      assert.equal((await send('GET', `scheduled-changes.json${query}`)).status, 400, query);
    }
    const cancelled = await send('PATCH', `customers/account_${customers[1]}.json?customer[plan_on]=`);
    assert.equal(cancelled.status, 200);
    assert.equal((await part()).scheduled_changes.length, 1);
  });

  test('the currency can be changed until a customer is on a priced plan', async (t) => {
    const { db, accountId, userId, create, send } = await setUp(t, open);
    const currency = async () => (await send('GET', 'plans.json')).json.currency;
    const choose = async (code: string) => (await send('PATCH', `plans.json?plans[currency]=${code}`)).json;
    assert.equal(await currency(), null);
    assert.deepEqual(await choose('eur'), { response: true, errors: [], currency: 'EUR' });
    assert.equal(await currency(), 'EUR');
    assert.deepEqual((await choose('XX')).errors[0][0], 'currency');
    const { id } = (await create({ name: 'Standard', price: '19', interval: 'month' })).json.plan;
    const customerId = await makeCustomer(db, accountId);
    const input = { customerId, planId: Number(id.slice('plan_'.length)) };
    await db.transaction().execute((trx) => changePlan(trx, accountId, input, actor(userId)));
    assert.deepEqual(
      (await choose('USD')).errors,
      'Customers pay in EUR. The currency cannot be changed while any of them is on a plan with a price.',
    );
  });

  test("another account's plans are not found", async (t) => {
    const { db, create, send, list } = await setUp(t, open);
    const { id } = (await create({ name: 'Standard', price: '19', interval: 'month' })).json.plan;
    const change = (await send('POST', `plans/${id}/price.json?plan[name]=B&plan[price]=2&plan[from]=2099-01-01`)).json;
    const before = await list();
    const { key } = await makeAccount(db);
    for (const [method, path] of [
      ['GET', `plans/${id}.json`],
      ['PATCH', `plans/${id}.json?plan[name]=A`],
      ['GET', `plans/${id}/price.json?price=1`],
      ['POST', `plans/${id}/price.json?plan[name]=A&plan[price]=1`],
    ] as const) {
      const { status, json } = await send(method, path, { key });
      assert.deepEqual([status, json], [404, missing], `${method} ${path}`);
    }
    assert.equal((await send('DELETE', `price-changes/${change.id}.json`, { key })).status, 404);
    assert.deepEqual((await send('GET', 'price-changes.json', { key })).json, { price_changes: [] });
    assert.deepEqual((await send('GET', 'scheduled-changes.json', { key })).json, {
      scheduled_changes: [],
      next: null,
    });
    assert.deepEqual(await list(), before);
  });

  test('a key needs the scopes of plans, and the scopes of customers include reading plans', async (t) => {
    const { db, accountId, userId, send } = await setUp(t, open);
    const keyWith = async (scope: string) => {
      const input = { userId, name: 'x', expiresAt: null, scopes: [scope] };
      return (await db.transaction().execute((trx) => issueApiKey(trx, accountId, input))).key;
    };
    const status = async (method: string, path: string, key: string) => (await send(method, path, { key })).status;
    const change = 'plans.json?plan[name]=A&plan[price]=1&plan[interval]=month';
    for (const [scope, reads, writes] of [
      ['pages:read', 403, 403],
      ['plans:read', 200, 403],
      ['customers:read', 200, 403],
      ['customers:write', 200, 403],
      ['plans:write', 200, 200],
    ] as const) {
      const key = await keyWith(scope);
      assert.equal(await status('GET', 'plans.json', key), reads, scope);
      assert.equal(await status('POST', change, key), writes, scope);
    }
    assert.equal(await status('GET', 'customers.json', await keyWith('plans:write')), 403);
  });
});

interface Plan {
  id: string;
  name: string;
  is_default: boolean;
}

async function setUp(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  const started = await startWithAccount(t, open);
  const { service, key: own } = started;
  const send = (
    method: string,
    path: string,
    { key = own, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
  ) =>
    service.request(method, `/api/${path}`.replaceAll('[', '%5B').replaceAll(']', '%5D'), {
      headers: { Authorization: `Bearer ${key}`, ...headers },
    });
  const bracketed = (fields: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [`plan[${name}]`, value]));
  const create = (fields: Readonly<Record<string, string>>) => service.post('/api/plans.json', own, bracketed(fields));
  const change = async (id: string, fields: Readonly<Record<string, string>>) => {
    const { status, json } = await send('PATCH', `plans/${id}.json?${new URLSearchParams(bracketed(fields))}`);
    return [status, json] as const;
  };
  const list = async () => (await send('GET', 'plans.json')).json.plans as Plan[];
  const priceChanges = async () => (await send('GET', 'price-changes.json')).json.price_changes as { id: string }[];
  return { ...started, send, create, change, list, priceChanges };
}
