import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../../test/factories.ts';
import { startWithAccount } from '../../../test/service.ts';
import { changeCurrency } from '../../accounts/change-currency.ts';
import { changePlan, suspendCustomer } from '../../accounts/change-customer.ts';
import { issueApiKey } from '../../api-keys/issue-api-key.ts';
import { operator } from '../../audit/record-audit-event.ts';
import type { Trx } from '../../db/database.ts';
import { createPlan } from '../../plans/plans.ts';
import { schedulePlanChange } from '../../scheduled-changes/schedule-plan-change.ts';

const nothing = { monthly_revenue: '0.00', annual_revenue: '0.00' };

onEachDatabase('revenue over the API', (open) => {
  test('the revenue has the totals at both ends, the movements in between, and the periods', async (t) => {
    const { get, business } = await setUp(t, open);
    const revenue = await get('revenue.json');
    const { from, to, start, end, movements, rates, periods, ...rest } = revenue;
    assert.deepEqual(rest, { time_zone: 'UTC', currency: 'EUR', step: 'month' });
    assert.deepEqual(start, { ...nothing, paying_customers_count: 0, free_customers_count: 0 });
    const total = { monthly_revenue: '20.83', annual_revenue: '250.00' };
    assert.deepEqual(end, { ...total, paying_customers_count: 1, free_customers_count: 1 });
    assert.deepEqual(movements, {
      new: { monthly_revenue: '25.00', annual_revenue: '300.00', count: 3 },
      expansion: { monthly_revenue: '12.50', annual_revenue: '150.00', count: 1 },
      contraction: { ...nothing, count: 0 },
      churn: { monthly_revenue: '16.67', annual_revenue: '200.00', count: 2 },
      reactivation: { ...nothing, count: 0 },
    });
    const noRates = { customer_churn: null, revenue_churn: null, gross_retention: null, net_retention: null };
    assert.deepEqual(rates, noRates);
    assert.deepEqual([periods.length, periods[0].from, periods.at(-1).to], [12, from, to]);
    assert.deepEqual(periods.at(-1), { ...periods.at(-1), end, movements, rates });
    assert.equal((await get('revenue.json?step=quarter')).periods.length, 8);
    const ofOne = await get(`revenue.json?plan_id=${business}`);
    assert.deepEqual(ofOne.end, { ...nothing, paying_customers_count: 0, free_customers_count: 0 });
    assert.deepEqual(ofOne.movements.new.count, 3);
    const past = await get('revenue.json?from=2020-01-10&to=2020-02-20');
    assert.deepEqual(
      past.periods.map((period: { from: string; to: string }) => [period.from, period.to]),
      [
        ['2020-01-10', '2020-01-31'],
        ['2020-02-01', '2020-02-20'],
      ],
    );
  });

  test('the revenue is reported by plan and by cohort', async (t) => {
    const { get, free, business, large } = await setUp(t, open);
    const { plans, ...days } = await get('revenue/plans.json');
    assert.deepEqual(Object.keys(days), ['from', 'to']);
    assert.deepEqual(
      plans.map((plan: Record<string, { annual_revenue: string }>) => [
        plan.plan_id,
        plan.name,
        plan.end!.annual_revenue,
      ]),
      [
        [free, 'Free', '0.00'],
        [business, 'Business', '0.00'],
        [large, 'Large', '250.00'],
      ],
    );
    const { cohorts, step } = await get('revenue/cohorts.json?step=year');
    assert.deepEqual([step, cohorts.length], ['year', 5]);
    const { from, to, ...cohort } = cohorts.at(-1);
    assert.equal(from.slice(4), '-01-01');
    assert.deepEqual(cohort, {
      customers_count: 3,
      active_customers_count: 2,
      monthly_revenue: '20.83',
      annual_revenue: '250.00',
    });
  });

  test('the customers behind a figure are listed in parts, and sum to the figure', async (t) => {
    const { get, customers } = await setUp(t, open);
    const ids = customers.map((id) => `account_${id}`);
    const list = async (query: string) => get(`revenue/customers.json?${query}`);
    const shown = async (figure: string) =>
      (await list(`figure=${figure}`)).customers.map((one: Record<string, string>) => [
        ...[one.customer_id, one.plan_name, one.annual_revenue, one.annual_change],
      ]);
    assert.deepEqual(await shown('paying'), [[ids[0], 'Large', '250.00', '150.00']]);
    assert.deepEqual(await shown('free'), [[ids[1], 'Free', '0.00', '-100.00']]);
    assert.deepEqual(await shown('churn'), [
      [ids[1], 'Free', '0.00', '-100.00'],
      [ids[2], null, '0.00', '-100.00'],
    ]);
    assert.deepEqual(await shown('stayed'), [
      [ids[0], 'Large', '250.00', '150.00'],
      [ids[1], 'Free', '0.00', '-100.00'],
    ]);
    const whole = await list('figure=new');
    assert.deepEqual(whole.total, { monthly_revenue: '25.00', annual_revenue: '300.00', count: 3 });
    const [first] = whole.customers;
    const { name, at, ...rest } = first;
    assert.match(name, /^Customer /);
    assert.match(at, /^\d{4}-\d\d-\d\dT.*Z$/);
    assert.deepEqual(rest, {
      customer_id: ids[0],
      is_deleted: false,
      annual_revenue: '100.00',
      annual_change: '100.00',
      plan_name: 'Business',
      plan_price: '100.00',
      plan_interval: 'year',
    });
    for (const figure of ['new', 'came']) {
      const { customers: all } = await list(`figure=${figure}`);
      const part = await list(`figure=${figure}&limit=2`);
      assert.deepEqual(part.customers, all.slice(0, 2));
      const last = await list(`figure=${figure}&limit=2&after=${part.next}`);
      assert.deepEqual([last.customers, last.next], [all.slice(2), null]);
    }
    // There were no customers yet.
    const past = await list('figure=came&as_of=2020-01-01');
    assert.deepEqual([past.as_of, past.total.count, past.customers], ['2020-01-01', 0, []]);
    assert.deepEqual((await list('')).total, { monthly_revenue: '20.83', annual_revenue: '250.00', count: 1 });
  });

  test('the forecast is reported by month, and its changes in parts', async (t) => {
    const { db, accountId, get, customers, free, business } = await setUp(t, open);
    for (const [index, plan, day] of [
      [0, free, '2099-02-01'],
      [1, business, '2099-01-15'],
    ] as const) {
      const change = { customerId: customers[index]!, planId: Number(plan.slice('plan_'.length)), day };
      await db.transaction().execute((trx) => schedulePlanChange(trx, accountId, change, operator));
    }
    const none = { ...nothing, count: 0 };
    assert.deepEqual(await get('revenue/forecast.json'), {
      monthly_revenue: '20.83',
      annual_revenue: '250.00',
      months: [
        {
          month: '2099-01',
          monthly_revenue: '29.17',
          annual_revenue: '350.00',
          ends_of_trials: none,
          scheduled_changes: { monthly_revenue: '8.33', annual_revenue: '100.00', count: 1 },
        },
        {
          month: '2099-02',
          monthly_revenue: '8.33',
          annual_revenue: '100.00',
          ends_of_trials: none,
          scheduled_changes: { monthly_revenue: '-20.83', annual_revenue: '-250.00', count: 1 },
        },
      ],
    });
    const whole = await get('revenue/forecast/changes.json');
    const { customer_name, ...last } = whole.changes[1];
    assert.match(customer_name, /^Customer /);
    assert.deepEqual(last, {
      on: '2099-02-01',
      kind: 'move',
      customer_id: `account_${customers[0]}`,
      from_plan_name: 'Large',
      to_plan_name: 'Free',
      plan_price: '0.00',
      plan_interval: 'month',
      annual_change: '-250.00',
    });
    const part = await get('revenue/forecast/changes.json?limit=1');
    assert.deepEqual(part.changes, whole.changes.slice(0, 1));
    const rest = await get(`revenue/forecast/changes.json?limit=1&after=${part.next}`);
    assert.deepEqual(rest, { changes: whole.changes.slice(1), next: null });
    assert.deepEqual((await get('revenue/forecast/changes.json?month=2099-02')).changes, whole.changes.slice(1));
  });

  test('the periods, the customers behind a figure, and the forecast are exported as CSV', async (t) => {
    const { db, accountId, send, customers, free } = await setUp(t, open);
    const change = { customerId: customers[0], planId: Number(free.slice('plan_'.length)), day: '2099-02-01' };
    await db.transaction().execute((trx) => schedulePlanChange(trx, accountId, change, operator));
    const exported = async (path: string, file: RegExp) => {
      const { status, headers, text } = await send(path);
      assert.equal(status, 200, text);
      assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
      assert.equal(headers['cache-control'], 'private, no-cache');
      assert.match(String(headers['content-disposition']), file);
      assert.equal(text[0], '\ufeff');
      return text.slice(1).split('\r\n');
    };
    const [head, ...periods] = await exported('revenue.csv', /"revenue-[\d-]{10}\.csv"/);
    assert.match(head!, /^From,To,A year at the beginning,New,/);
    assert.match(periods.at(-2)!, /,0\.00,300\.00,150\.00,0\.00,-200\.00,0\.00,250\.00,1,1,EUR$/);
    assert.equal((await exported('revenue.csv?step=year', /^attachment/)).length, 7);
    const [, ...behind] = await exported('revenue/customers.csv?figure=churn', /"churn-[\d-]{10}\.csv"/);
    assert.deepEqual(
      behind.slice(0, -1).map((line) => line.split(',')[0]),
      customers.slice(1).map(String),
    );
    const [, line] = await exported('revenue/forecast.csv', /"forecast-[\d-]{10}\.csv"/);
    assert.match(
      line!,
      new RegExp(`^2099-02-01,Scheduled change,${customers[0]},.*,Large,Free,0\\.00,month,-250\\.00,EUR$`),
    );
    for (const [path, expected] of [
      ['revenue.csv?from=x', 400],
      ['revenue.csv?plan_id=plan_999999', 404],
      ['revenue/customers.csv?figure=all', 400],
    ] as const) {
      const { status, json } = await send(path);
      assert.deepEqual([status, json.response], [expected, false], path);
    }
  });

  test('invalid parameters of the revenue reports are refused', async (t) => {
    const { send } = await setUp(t, open);
    for (const [path, message] of [
      ['revenue.json?from=2026-02-30', '"from" must be a day like 2026-06-30.'],
      ['revenue.json?to=today', '"to" must be a day like 2026-06-30.'],
      ['revenue.json?from=2026-02-02&to=2026-02-01', '"from" is after "to".'],
      ['revenue.json?from=1999-01-01&to=2026-02-01', 'A range has at most 120 months.'],
      ['revenue.json?step=week', '"step" must be one of month, quarter, year.'],
      ['revenue.json?to=2026-01-01&to=2026-01-02', '"to" is given twice.'],
      ['revenue/plans.json?to=x', '"to" must be a day like 2026-06-30.'],
      ['revenue/cohorts.json?step=x', '"step" must be one of month, quarter, year.'],
      ['revenue/customers.json?as_of=x', '"as_of" must be a day like 2026-06-30.'],
      ['revenue/customers.json?after=x', '"after" must be "next" of the previous part.'],
      ['revenue/customers.json?limit=501', '"limit" must be from 1 to 500.'],
      ['revenue/forecast/changes.json?month=2026-13', '"month" must be a month like 2026-12.'],
      ['revenue/forecast/changes.json?after=2026-02-30_1_move', '"after" must be "next" of the previous part.'],
    ] as const) {
      const { status, json } = await send(path);
      assert.deepEqual([status, json], [400, { response: false, errors: message }], path);
    }
    assert.match(
      (await send('revenue/customers.json?figure=all')).json.errors,
      /^"figure" must be one of paying, free/,
    );
    for (const path of ['revenue.json?plan_id=x', 'revenue/customers.json?plan_id=plan_999999']) {
      const { status, json } = await send(path);
      assert.deepEqual([status, json.errors], [404, 'The plan does not exist.'], path);
    }
  });

  test("the revenue is the key's own account's, and needs the scope revenue:read", async (t) => {
    const { db, accountId, userId, send, business } = await setUp(t, open);
    const other = await makeAccount(db);
    const theirs = async (path: string) => (await send(path, other.key)).json;
    assert.equal((await theirs('revenue.json')).movements.new.count, 0);
    assert.deepEqual((await theirs('revenue/plans.json')).plans, []);
    assert.deepEqual((await theirs('revenue/customers.json?figure=new')).customers, []);
    assert.deepEqual((await theirs('revenue/forecast/changes.json')).changes, []);
    assert.equal((await send(`revenue.json?plan_id=${business}`, other.key)).status, 404);
    const keyWith = async (scope: string) => {
      const input = { userId, name: 'x', expiresAt: null, scopes: [scope] };
      return (await db.transaction().execute((trx) => issueApiKey(trx, accountId, input))).key;
    };
    const [customers, revenue] = [await keyWith('customers:write'), await keyWith('revenue:read')];
    for (const path of [
      ...['revenue.json', 'revenue/plans.json', 'revenue/cohorts.json', 'revenue/customers.json'],
      ...['revenue/forecast.json', 'revenue/forecast/changes.json'],
      ...['revenue.csv', 'revenue/customers.csv', 'revenue/forecast.csv'],
    ]) {
      assert.equal((await send(path, customers)).status, 403, path);
      assert.equal((await send(path, revenue)).status, 200, path);
    }
  });
});

/**
 * Creates three customers that began on a plan of 100 a year: one pays 250 now, one is on the free plan, and one is
 * suspended.
 */
async function setUp(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  const started = await startWithAccount(t, open);
  const { service, db, accountId, key: own } = started;
  const run = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);
  await run((trx) => changeCurrency(trx, accountId, 'EUR', operator));
  const create = (name: string, price: string) =>
    run((trx) =>
      createPlan(trx, accountId, { name, price, interval: 'year', isDefault: name === 'Business' }, operator),
    );
  const plans = await db.selectFrom('plans').select('id').where('account_id', '=', accountId).execute();
  const [free, business, large] = [plans[0]!.id, await create('Business', '100'), await create('Large', '250')];
  const customers = [
    await makeCustomer(db, accountId),
    await makeCustomer(db, accountId),
    await makeCustomer(db, accountId),
  ] as const;
  await run(async (trx) => {
    await changePlan(trx, accountId, { customerId: customers[0], planId: large }, operator);
    await changePlan(trx, accountId, { customerId: customers[1], planId: free }, operator);
    await suspendCustomer(trx, accountId, customers[2], operator);
  });
  const send = (path: string, key = own) =>
    service.request('GET', `/api/${path}`, { headers: { Authorization: `Bearer ${key}` } });
  const get = async (path: string) => {
    const reply = await send(path);
    assert.equal(reply.status, 200, reply.text);
    return reply.json;
  };
  const ids = { free: `plan_${free}`, business: `plan_${business}`, large: `plan_${large}` };
  return { ...started, send, get, customers, ...ids };
}
