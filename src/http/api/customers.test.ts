import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { actor, makeAccount, makeCustomer, unique } from '../../../test/factories.ts';
import { startWithAccount } from '../../../test/service.ts';
import { createPlan } from '../../plans/plans.ts';

const done = { response: true, errors: [] };
const missing = { response: false, errors: 'The customer does not exist.' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

onEachDatabase('customers over the API', (open) => {
  test('customers can be listed in parts, searched, filtered and read', async (t) => {
    const { service, key, send, list } = await setUp(t, open);
    for (const name of ['Bakery', 'Café', 'Dairy']) {
      const subdomain = `${name.toLowerCase().replace('é', 'e')}-${key.slice(-6).toLowerCase().replaceAll('_', '')}`;
      await service.createCustomer(key, { account_name: name, account_subdomain: subdomain });
    }
    const { customers, next } = await list('?limit=2');
    assert.deepEqual(names(customers), ['Dairy', 'Café']);
    const rest = await list(`?limit=2&after=${encodeURIComponent(next)}`);
    assert.deepEqual([names(rest.customers), rest.next], [['Bakery'], null]);
    assert.deepEqual(names((await list('?sort=name')).customers), ['Bakery', 'Café', 'Dairy']);
    assert.deepEqual(names((await list('?q=caf')).customers), ['Café']);
    assert.deepEqual(names((await list('?q=%00caf')).customers), []);
    assert.deepEqual(names((await list('?state=suspended')).customers), []);
    const [dairy] = customers;
    assert.match(dairy.created_at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000$/);
    assert.deepEqual([dairy.state, dairy.plan_price, dairy.plan_interval], ['active', '0.00', 'month']);
    assert.deepEqual(names((await list(`?plan_id=${dairy.plan_id}`)).customers).length, 3);

    const { customer } = (await send('GET', `/${dairy.id}.json`)).json;
    const { users, usage, deletes_on, ...same } = customer;
    assert.deepEqual([same, deletes_on], [dairy, null]);
    assert.deepEqual([users.length, users[0].role, users[0].has_signed_in], [1, 'owner', false]);
    assert.deepEqual(usage.people, { used: 1, limit: null });
    const { plans } = (await service.get('/api/plans.json', key)).json;
    assert.deepEqual([plans[0].id, plans[0].customers_count, plans[0].is_default], [dairy.plan_id, 3, true]);
    for (const query of ['?state=x', '?plan_id=x', '?sort=x', '?limit=0', '?limit=501', '?after=x', '?q=a&q=b']) {
      assert.equal((await send('GET', `.json${query}`)).status, 400, query);
    }
  });

  test('a customer’s plan and state can be changed, now or on a day, and an invalid request changes nothing', async (t) => {
    const { db, accountId, userId, customer, change, read } = await setUpCustomer(t, open);
    const planId = await db.transaction().execute((trx) => {
      const plan = { name: 'Standard', price: '19.00', interval: 'month', isDefault: false } as const;
      return createPlan(trx, accountId, plan, actor(userId));
    });
    assert.deepEqual((await change({ plan_id: `plan_${planId}` })).json, done);
    assert.deepEqual([(await read()).plan_name, (await read()).plan_price], ['Standard', '19.00']);
    const other = (await db.selectFrom('plans').select('id').where('account_id', '=', accountId).execute())[0]!.id;
    assert.deepEqual((await change({ plan_id: String(other), plan_on: '2199-01-01' })).json, done);
    const waiting = await read();
    assert.deepEqual([waiting.scheduled_plan_id, waiting.scheduled_on], [`plan_${other}`, '2199-01-01']);
    assert.deepEqual((await change({ plan_on: '' })).json, done);
    assert.equal((await read()).scheduled_on, null);

    const both = await change({ state: 'suspended', suspension_reason: 'Overdue', plan_id: 'plan_999999' });
    assert.deepEqual([both.status, both.json.errors], [422, [['plan_id', 'does not exist']]]);
    assert.equal((await read()).state, 'active');
    assert.deepEqual((await change({ state: 'suspended', suspension_reason: 'Overdue' })).json, done);
    assert.deepEqual([(await read()).state, (await read()).suspension_reason], ['suspended', 'Overdue']);
    const again = await change({ state: 'suspended', suspension_reason: 'Other' });
    assert.equal(again.json.errors, 'The customer is already suspended: "Overdue" End that suspension first.');
    assert.deepEqual((await change({ state: 'active' })).json, done);
    for (const [fields, errors] of [
      [{ state: 'x' }, [['state', 'is not one of active, suspended']]],
      [{ plan_on: '2199-01-01' }, [['plan_id', "can't be blank"]]],
      [{ suspension_reason: 'Overdue' }, [['state', "can't be blank"]]],
      [{ plan_id: String(other), plan_on: '2020-01-01' }, [['plan_on', 'is not after today']]],
      [{ state: 'suspended', suspension_reason: 'x'.repeat(501) }, [['suspension_reason', TOO_LONG]]],
    ] as const) {
      const reply = await change(fields);
      assert.deepEqual([reply.status, reply.json], [422, { response: false, errors }]);
    }
    assert.equal((await read()).state, 'active');
    const events = await db
      .selectFrom('audit_log')
      .select(['action', 'api_key_id'])
      .where('account_id', '=', accountId)
      .where('subject', '=', `customer_${customer}`)
      .where('action', 'in', ['customer.suspended', 'customer.restored'])
      .execute();
    assert.deepEqual(
      events.map(({ api_key_id }) => api_key_id !== null),
      [true, true],
    );
  });

  test('a customer’s name and subdomain can be changed, and an invalid request changes nothing', async (t) => {
    const { db, accountId, customer, send, change, read } = await setUpCustomer(t, open);
    const [bakery, former] = [unique('bakery'), (await read()).subdomain];
    assert.deepEqual((await change({ name: ' Bakery ', subdomain: ` ${bakery.toUpperCase()}` })).json, done);
    const changed = await read();
    assert.deepEqual([changed.name, changed.subdomain, changed.url.includes(`//${bakery}.`)], ['Bakery', bakery, true]);
    assert.deepEqual(
      (await send('GET', '.json?q=bakery')).json.customers.map(({ name }: { name: string }) => name),
      ['Bakery'],
    );

    const other = await makeCustomer(db, accountId);
    const { subdomain: taken } = await db
      .selectFrom('accounts')
      .select('subdomain')
      .where('id', '=', other)
      .executeTakeFirstOrThrow();
    for (const [fields, errors] of [
      [
        { name: '', subdomain: 'www' },
        [
          ['name', "can't be blank"],
          ['subdomain', 'is reserved'],
        ],
      ],
      [{ name: 'Shop', subdomain: taken }, [['subdomain', 'has already been taken']]],
      [{ name: 'x'.repeat(256) }, [['name', 'is too long (maximum is 255 characters)']]],
      [{ name: 'Shop', plan_id: 'plan_999999' }, [['plan_id', 'does not exist']]],
    ] as const) {
      const reply = await change(fields);
      assert.deepEqual([reply.status, reply.json], [422, { response: false, errors }]);
    }
    assert.deepEqual([(await read()).name, (await read()).subdomain], ['Bakery', bakery]);
    // The former subdomain is reserved for the customer, who may have it back. An unchanged value records no event.
    const stranger = await change({ subdomain: former }, other);
    assert.deepEqual(stranger.json.errors, [['subdomain', 'has already been taken']]);
    assert.deepEqual((await change({ subdomain: former })).json, done);
    assert.deepEqual((await change({ name: 'Bakery', subdomain: former })).json, done);

    const events = (account: number) =>
      db
        .selectFrom('audit_log')
        .select(['action', 'actor', 'user_id', 'ip', 'details'])
        .where('account_id', '=', account)
        .where('action', 'in', ['customer.changed', 'settings.changed'])
        .orderBy('id')
        .execute();
    const [first, second, ...more] = await events(accountId);
    assert.deepEqual([first!.action, first!.user_id !== null, more], ['customer.changed', true, []]);
    const detailsOf = (event: typeof first) => JSON.parse(event!.details);
    assert.deepEqual(detailsOf(first).fields, ['name', 'subdomain']);
    assert.deepEqual(detailsOf(second), { name: 'Bakery', fields: ['subdomain'] });
    // The customer's users see which account made the change, but not which of its users.
    for (const { action, actor: who, user_id, ip } of await events(customer)) {
      assert.deepEqual([action, who.startsWith('Account '), user_id, ip], ['settings.changed', true, null, null]);
    }
    await send('DELETE', `/account_${customer}.json`);
    assert.equal((await change({ name: 'Late' })).json.errors, 'The customer is deleted. Restore it first.');
  });

  test('a customer can be deleted and restored, and its login instructions resent', async (t) => {
    const { db, customer, send, change, read, list } = await setUpCustomer(t, open);
    assert.deepEqual((await send('DELETE', `/account_${customer}.json`)).json, done);
    assert.deepEqual(names((await list('')).customers), []);
    assert.match((await read()).deletes_on, /^\d{4}-\d\d-\d\d$/);
    assert.equal((await change({ state: 'suspended' })).json.errors, 'The customer is deleted. Restore it first.');
    assert.deepEqual((await send('POST', `/account_${customer}/restore.json`)).json, done);
    assert.equal((await read()).deletes_on, null);

    const resend = (body: string) => send('POST', `/account_${customer}/instructions.json`, body, form);
    assert.deepEqual((await resend('customer[user_email]=new@example.com')).json, done);
    assert.deepEqual(
      [(await read()).users[0].email, (await mailTo(db)).at(-1)],
      ['new@example.com', 'new@example.com'],
    );
    assert.deepEqual((await send('POST', `/account_${customer}/instructions.json`)).json, done);
    const wrong = await resend('customer[user_email]=nobody');
    assert.deepEqual(wrong.json.errors, [['user_email', 'is not a mail address']]);
  });

  test("another account's customers are not found and cannot be changed", async (t) => {
    const { db, send } = await setUp(t, open);
    const other = await makeAccount(db);
    const theirs = await makeCustomer(db, other.accountId);
    for (const [method, path] of [
      ['GET', `/account_${theirs}.json`],
      ['PATCH', `/account_${theirs}.json?customer[state]=suspended`],
      ['PATCH', `/account_${theirs}.json?customer[name]=Mine`],
      ['PATCH', `/account_${theirs}.json?customer[subdomain]=mine`],
      ['DELETE', `/account_${theirs}.json`],
      ['POST', `/account_${theirs}/restore.json`],
      ['POST', `/account_${theirs}/instructions.json?customer[user_email]=mine@example.com`],
      ['GET', `/account_${other.accountId}.json`],
      ['GET', '/page_1.json'],
    ] as const) {
      const { status, json } = await send(method, path);
      assert.deepEqual([method, path, status, json], [method, path, 404, missing]);
    }
    const row = await db.selectFrom('accounts').selectAll().where('id', '=', theirs).executeTakeFirstOrThrow();
    assert.deepEqual([row.status, row.deletes_at], ['active', null]);
  });
});

const TOO_LONG = 'is too long (maximum is 500 characters)';

const names = (customers: readonly { name: string }[]) => customers.map(({ name }) => name);

async function mailTo(db: TestDatabase['db']): Promise<string[]> {
  const rows = await db.selectFrom('outbox').select('to_email').orderBy('id').execute();
  return rows.map(({ to_email }) => to_email);
}

async function setUp(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  const started = await startWithAccount(t, open);
  const { service, key } = started;
  const send = (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
    service.request(method, `/api/customers${path}`, {
      headers: { Authorization: `Bearer ${key}`, ...headers },
      ...(body !== undefined && { body }),
    });
  const list = async (query: string) => (await send('GET', `.json${query}`)).json;
  return { ...started, send, list };
}

async function setUpCustomer(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  const started = await setUp(t, open);
  const { db, accountId, send } = started;
  const customer = await makeCustomer(db, accountId);
  const read = async () => (await send('GET', `/account_${customer}.json`)).json.customer;
  const change = (fields: Readonly<Record<string, string>>, id = customer) =>
    send('PATCH', `/account_${id}.json`, JSON.stringify({ customer: fields }), {
      'Content-Type': 'application/json',
    });
  return { ...started, customer, read, change };
}
