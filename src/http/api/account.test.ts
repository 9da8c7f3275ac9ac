import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { addresses, makeCustomer } from '../../../test/factories.ts';
import { startService, startWithAccount } from '../../../test/service.ts';
import { changePlan, restoreCustomer, suspendCustomer } from '../../accounts/change-customer.ts';
import { changeOwnPlan } from '../../accounts/change-own-plan.ts';
import { changeSubdomain } from '../../accounts/change-subdomain.ts';
import { issueApiKey } from '../../api-keys/issue-api-key.ts';
import { operator } from '../../audit/record-audit-event.ts';
import type { Db, Trx } from '../../db/database.ts';
import { createPlan, listPlans } from '../../plans/plans.ts';
import { listUsers } from '../../users/list-users.ts';

const path = '/api/account.json';

onEachDatabase('account information', (open) => {
  test('the response has the member account with the eleven fields of the specification', async (t) => {
    const { service, key, db, accountId } = await startWithAccount(t, open, {
      PUBLIC_URL: 'http://service.test',
      SITES_DOMAIN: 'sites.test:8080',
    });
    const reply = await service.get(path, key);
    assert.equal(reply.status, 200);
    assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(reply.headers['cache-control'], 'private, no-cache');
    assert.deepEqual(Object.keys(reply.json), ['account']);
    const { account } = reply.json;
    const row = await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow();
    assert.match(account.created_at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}$/);
    assert.equal(Date.parse(account.created_at), Math.floor(row.created_at / 1000) * 1000);
    assert.deepEqual(Object.entries(account), [
      ['id', `account_${accountId}`],
      ['name', row.name],
      ['url', `http://${row.subdomain}.sites.test:8080`],
      ['created_at', account.created_at],
      ['plan_name', 'Self-hosted'],
      ['plan_price', '0.00'],
      ['paying_customers_count', 0],
      ['free_customers_count', 0],
      ['monthly_revenue', '0.00'],
      ['quarterly_revenue', '0.00'],
      ['annual_revenue', '0.00'],
    ]);
  });

  test('customers count as paying or free by their plan, suspended ones not at all, and so does revenue', async (t) => {
    const { service, key, db, accountId } = await startWithAccount(t, open);
    const plan = (name: string, price: string, interval: string) =>
      change(db, (trx) => createPlan(trx, accountId, { name, price, interval, isDefault: false }, operator));
    const monthly = await plan('Monthly', '9.99', 'month');
    const quarterly = await plan('Quarterly', '25', 'quarter');
    const yearly = await plan('Yearly', '100.01', 'year');
    const nothing = await plan('Nothing', '0', 'year');
    const [free] = await listPlans(db, accountId);
    const customers: number[] = [];
    for (let index = 0; index < 4; index++) customers.push(await makeCustomer(db, accountId));
    const numbers = async () => {
      const account = await service.account(key);
      return [
        account.paying_customers_count,
        account.free_customers_count,
        account.monthly_revenue,
        account.quarterly_revenue,
        account.annual_revenue,
      ];
    };
    const move = (index: number, planId: number) =>
      change(db, (trx) => changePlan(trx, accountId, { customerId: customers[index]!, planId }, operator));

    assert.deepEqual(await numbers(), [0, 4, '0.00', '0.00', '0.00']);
    await move(0, monthly);
    // 9.99 × 12
    assert.deepEqual(await numbers(), [1, 3, '9.99', '29.97', '119.88']);
    await move(1, quarterly);
    // 119.88 + 25 × 4 = 219.88; a twelfth is 18.32333…
    assert.deepEqual(await numbers(), [2, 2, '18.32', '54.97', '219.88']);
    await move(2, yearly);
    // 219.88 + 100.01 = 319.89; a quarter is 79.9725, a twelfth 26.6575
    assert.deepEqual(await numbers(), [3, 1, '26.66', '79.97', '319.89']);
    await move(3, nothing);
    assert.deepEqual(await numbers(), [3, 1, '26.66', '79.97', '319.89']);
    await move(2, yearly);
    assert.deepEqual(await numbers(), [3, 1, '26.66', '79.97', '319.89']);
    await change(db, (trx) => suspendCustomer(trx, accountId, customers[0]!, operator));
    await change(db, (trx) => suspendCustomer(trx, accountId, customers[0]!, operator));
    assert.deepEqual(await numbers(), [2, 1, '16.67', '50.00', '200.01']);
    await change(db, (trx) => suspendCustomer(trx, accountId, customers[3]!, operator));
    assert.deepEqual(await numbers(), [2, 0, '16.67', '50.00', '200.01']);
    // A suspended customer's plan can be changed. It counts when the customer is restored.
    await move(0, yearly);
    assert.deepEqual(await numbers(), [2, 0, '16.67', '50.00', '200.01']);
    await change(db, (trx) => restoreCustomer(trx, accountId, customers[0]!, operator));
    assert.deepEqual(await numbers(), [3, 0, '25.00', '75.01', '300.02']);
    await change(db, (trx) => restoreCustomer(trx, accountId, customers[3]!, operator));
    await move(0, free!.id);
    assert.deepEqual(await numbers(), [2, 2, '16.67', '50.00', '200.01']);
  });

  test('as_of returns the data as of the end of that day in the account’s time zone', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-06-29T12:00:00Z') });
    const { service, key, db, accountId } = await startWithAccount(t, open);
    await db
      .transaction()
      .execute((trx) =>
        trx.updateTable('accounts').set({ time_zone: 'Pacific/Auckland' }).where('id', '=', accountId).execute(),
      );
    const plan = { name: 'Business', price: '100.01', interval: 'year', isDefault: false };
    const planId = await change(db, (trx) => createPlan(trx, accountId, plan, operator));
    const customerId = await makeCustomer(db, accountId);
    const answers = new Map<string, string>();
    const record = async (day: string) => answers.set(day, (await service.get(path, key)).text);
    // In Auckland, 30 June has just begun.
    await record('2026-06-30');
    t.mock.timers.setTime(Date.parse('2026-06-30T12:30:00Z'));
    await change(db, (trx) => changePlan(trx, accountId, { customerId, planId }, operator));
    await record('2026-07-01');
    t.mock.timers.setTime(Date.parse('2026-07-01T12:30:00Z'));
    await change(db, (trx) => suspendCustomer(trx, accountId, customerId, operator));
    await record('2026-07-02');
    for (const [day, text] of answers) assert.equal((await service.get(path, `${key}&as_of=${day}`)).text, text, day);
    assert.equal(new Set(answers.values()).size, 3);
    const before = (await service.get(path, `${key}&as_of=2020-02-29`)).json.account;
    assert.deepEqual([before.free_customers_count, before.annual_revenue], [0, '0.00']);

    const own = await issueKey(db, customerId);
    const past = async (day: string) => {
      const { account } = (await service.get(path, `${own}&as_of=${day}`)).json;
      return [account.plan_name, account.plan_price];
    };
    t.mock.timers.setTime(Date.parse('2026-07-03T12:30:00Z'));
    await change(db, (trx) => restoreCustomer(trx, accountId, customerId, operator));
    assert.deepEqual(await past('2026-06-29'), ['Free', '0.00']);
    assert.deepEqual(await past('2026-07-01'), ['Business', '100.01']);
  });

  test('as_of must be a single valid date that is not in the future', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const { text } = await service.get(path, key);
    for (const wrong of ['2026-02-30', '2026-6-30', 'today', '', '20260630', '2026-06-30&as_of=2026-06-30']) {
      const { status, json } = await service.get(path, `${key}&as_of=${wrong}`);
      assert.deepEqual([status, json], [400, { response: false, errors: '"as_of" must be a day like 2026-06-30.' }]);
    }
    const future = await service.get(path, `${key}&as_of=2199-01-01`);
    assert.deepEqual([future.status, future.json.errors], [422, '"as_of" must not be in the future.']);
    assert.equal((await service.request('GET', `${path}?as_of=2026-06-30`)).status, 401);
    assert.equal((await service.get(path, `${key}&asof=2026-02-30`)).text, text);
  });

  test('a new customer is on the default plan, and counts as paying at once if the plan has a price', async (t) => {
    const { service, key, db, accountId } = await startWithAccount(t, open);
    await change(db, (trx) =>
      createPlan(trx, accountId, { name: 'Standard', price: '49.00', interval: 'month', isDefault: true }, operator),
    );
    await service.createCustomer(key, { account_subdomain: 'one' });
    const account = await service.account(key);
    assert.deepEqual([account.paying_customers_count, account.free_customers_count], [1, 0]);
    assert.deepEqual(
      [account.monthly_revenue, account.quarterly_revenue, account.annual_revenue],
      ['49.00', '147.00', '588.00'],
    );
  });

  test('plan_name and plan_price describe the plan of the key’s own account', async (t) => {
    const { service, key, db, accountId } = await startWithAccount(t, open);
    await change(db, (trx) => changeOwnPlan(trx, accountId, { name: 'Partner', price: '199.9' }, operator));
    const own = await service.account(key);
    assert.deepEqual([own.plan_name, own.plan_price], ['Partner', '199.90']);

    const customer = await makeCustomer(db, accountId);
    const customerKey = await issueKey(db, customer);
    const before = await service.account(customerKey);
    assert.equal(before.id, `account_${customer}`);
    assert.deepEqual([before.plan_name, before.plan_price, before.free_customers_count], ['Free', '0.00', 0]);
    const gold = await change(db, (trx) =>
      createPlan(trx, accountId, { name: 'Gold', price: '1234567.89', interval: 'year', isDefault: false }, operator),
    );
    await change(db, (trx) => changePlan(trx, accountId, { customerId: customer, planId: gold }, operator));
    const after = await service.account(customerKey);
    assert.deepEqual([after.plan_name, after.plan_price], ['Gold', '1234567.89']);
    // The seller's revenue is not shown to the customer.
    assert.deepEqual([after.paying_customers_count, after.annual_revenue], [0, '0.00']);
  });

  test('customers of a customer count only for that customer', async (t) => {
    const { service, key, db, accountId } = await startWithAccount(t, open);
    const customer = await makeCustomer(db, accountId);
    const customerKey = await issueKey(db, customer);
    await service.createCustomer(customerKey, { account_subdomain: 'grandchild' });
    assert.equal((await service.account(customerKey)).free_customers_count, 1);
    assert.equal((await service.account(key)).free_customers_count, 1);
  });

  test('every visible change changes the ETag, and an unchanged answer is 304 in every process', async (t) => {
    const { service, key, db, accountId, database } = await startWithAccount(t, open);
    const customer = await makeCustomer(db, accountId);
    const plan = await change(db, (trx) =>
      createPlan(trx, accountId, { name: 'Gold', price: '5', interval: 'month', isDefault: false }, operator),
    );
    const changes: Array<(trx: Trx) => Promise<unknown>> = [
      (trx) => changePlan(trx, accountId, { customerId: customer, planId: plan }, operator),
      (trx) => suspendCustomer(trx, accountId, customer, operator),
      (trx) => changeOwnPlan(trx, accountId, { name: 'Other', price: '0' }, operator),
      (trx) => changeOwnPlan(trx, accountId, { name: 'Other', price: '1' }, operator),
      (trx) => changeSubdomain(trx, accountId, 'another-name', addresses, operator),
      (trx) => restoreCustomer(trx, accountId, customer, operator),
    ];
    const other = await startService(t, database);
    const seen = new Set<string>();
    for (const make of [async () => {}, ...changes]) {
      await change(db, make);
      const reply = await service.get(path, key);
      const etag = reply.headers.etag!;
      assert.match(etag, /^W\/"[^"]+"$/);
      assert.ok(!seen.has(etag), `${etag} again`);
      seen.add(etag);
      for (const process of [service, other]) {
        const known = await process.get(path, key, { 'If-None-Match': `"a", ${etag}` });
        assert.equal(known.status, 304);
        assert.equal(known.bytes.length, 0);
        assert.equal(known.headers.etag, etag);
        const again = await process.get(path, key);
        assert.deepEqual([again.text, again.headers.etag], [reply.text, etag]);
      }
    }
    await service.createCustomer(key, {});
    assert.ok(!seen.has((await service.get(path, key)).headers.etag!));
  });

  test('HEAD returns the headers of GET and no body', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const get = await service.get(path, key);
    const head = await service.request('HEAD', `${path}?api_key=${key}`);
    assert.equal(head.bytes.length, 0);
    assert.equal(head.headers['content-length'], String(get.bytes.length));
    assert.equal(head.headers.etag, get.headers.etag);
  });

  test('the URL of a site is https if PUBLIC_URL is', async (t) => {
    const { service, key } = await startWithAccount(t, open, {
      PUBLIC_URL: 'https://service.test',
      SITES_DOMAIN: 'sites.test',
      TRUST_PROXY: 'loopback',
    });
    const reply = await service.get(path, key, { 'X-Forwarded-Proto': 'https' });
    assert.match(reply.json.account.url, /^https:\/\/[a-z0-9-]+\.sites\.test$/);
  });
});

function change<T>(db: Db, make: (trx: Trx) => Promise<T>): Promise<T> {
  return db.transaction().execute(make);
}

async function issueKey(db: Db, accountId: number): Promise<string> {
  const [user] = await listUsers(db, accountId);
  const issued = await change(db, (trx) =>
    issueApiKey(trx, accountId, { userId: user!.id, name: 'Test', expiresAt: null }),
  );
  return issued.key;
}
