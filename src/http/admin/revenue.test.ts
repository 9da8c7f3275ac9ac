import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeCustomer } from '../../../test/factories.ts';
import { signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';
import { changeCurrency } from '../../accounts/change-currency.ts';
import { changePlan } from '../../accounts/change-customer.ts';
import { operator } from '../../audit/record-audit-event.ts';
import { createPlan } from '../../plans/plans.ts';
import { schedulePlanChange } from '../../scheduled-changes/schedule-plan-change.ts';

onEachDatabase('revenue in the admin app', (open) => {
  test('the customers behind each figure sum to the figure, and are listed in parts', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId);
    const plan = { name: 'Business', price: '100', interval: 'year', isDefault: true };
    await db.transaction().execute((trx) => createPlan(trx, accountId, plan, operator));
    const ids: number[] = [];
    for (let index = 0; index < 101; index++) ids.push(await makeCustomer(db, accountId));
    const free = await db.selectFrom('plans').select('id').where('account_id', '=', accountId).orderBy('id').execute();
    const move = { customerId: ids[0]!, planId: free[0]!.id };
    await db.transaction().execute((trx) => changePlan(trx, accountId, move, operator));

    const { json: report } = await person.get('revenue');
    assert.equal(report.periods.length, 12);
    const end = { annualCents: 1_000_000, mrr: '833.33', paying: 100, free: 1, mrrPerPaying: '8.33' };
    assert.deepEqual(report.end, end);
    const { json: years } = await person.get('revenue?step=year');
    assert.deepEqual([years.periods.length, years.periods[4].end], [5, end]);
    assert.equal(years.periods[0].from.slice(4), '-01-01');
    assert.equal((await person.get('revenue?step=quarter')).json.periods.length, 8);
    assert.deepEqual(report.movements.new, { annualCents: 1_010_000, mrr: '841.67', count: 101 });
    assert.deepEqual(report.movements.churn, { annualCents: 10_000, mrr: '8.33', count: 1 });

    const { headers, text } = await person.get('revenue/customers.csv?figure=new');
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
    const csv = text.split('\r\n');
    assert.deepEqual([csv.length, csv[0]!.charCodeAt(0)], [103, 0xfeff]);
    assert.match(csv[1]!, new RegExp(`^${ids[0]},Customer [^,]+,Business,100\\.00,year,100\\.00,100\\.00,20`));
    const totals = new Map<string, unknown>();
    const all = async (figure: string) => {
      const first = await person.get(`revenue/customers?figure=${figure}`);
      totals.set(figure, first.json.total);
      if (first.json.next === null) return first.json.customers;
      const second = await person.get(`revenue/customers?figure=${figure}&after=${first.json.next}`);
      assert.equal(second.json.next, null);
      return [...first.json.customers, ...second.json.customers];
    };
    const idsOf = async (figure: string) =>
      (await all(figure)).map(({ customerId }: { customerId: number }) => customerId);
    assert.deepEqual(await idsOf('new'), ids);
    assert.deepEqual(await idsOf('paying'), ids.slice(1));
    assert.deepEqual(await idsOf('free'), ids.slice(0, 1));
    assert.deepEqual(await idsOf('churn'), ids.slice(0, 1));
    assert.deepEqual(await idsOf('expansion'), []);
    assert.deepEqual(totals.get('churn'), report.movements.churn);
    assert.deepEqual(totals.get('paying'), { annualCents: 1_000_000, mrr: '833.33', count: 100 });
    assert.deepEqual(totals.get('free'), { annualCents: 0, mrr: '0.00', count: 1 });
    const [line] = await all('paying');
    const sold = { name: 'Business', priceCents: 10_000, interval: 'year' };
    assert.deepEqual(
      [line.name.startsWith('Customer'), line.plan, line.annualCents, line.changeCents],
      [true, sold, 10_000, 10_000],
    );

    for (const wrong of ['?to=2026-02-30', '?from=2026-02-02&to=2026-02-01', '?from=1999-01-01', '?to=today']) {
      assert.equal((await person.get(`revenue${wrong}`)).status, 400, wrong);
    }
    assert.equal((await person.get('revenue/customers?figure=all')).status, 400);
  });

  test('periods, customers behind a figure and the forecast can be saved as CSV with the currency', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId);
    const plan = (name: string, price: string, isDefault: boolean) => ({ name, price, interval: 'year', isDefault });
    const planId = await db.transaction().execute(async (trx) => {
      await changeCurrency(trx, accountId, 'EUR', operator);
      await createPlan(trx, accountId, plan('Business', '100', true), operator);
      return createPlan(trx, accountId, plan('Large', '250', false), operator);
    });
    const customerId = await makeCustomer(db, accountId);
    const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    const change = { customerId, planId, day };
    await db.transaction().execute((trx) => schedulePlanChange(trx, accountId, change, operator));
    const saved = async (path: string) => (await person.get(path)).text.split('\r\n');

    const [head, ...periods] = await saved('revenue.csv');
    assert.equal(
      head,
      '\ufeffFrom,To,A year at the beginning,New,Expansion,Contraction,Churn,Reactivation,A year at the end,Paying,Free,Currency',
    );
    assert.match(periods.at(-2)!, /^[\d-]{10},[\d-]{10},0\.00,100\.00,0\.00,0\.00,0\.00,0\.00,100\.00,1,0,EUR$/);

    const customers = await saved('revenue/customers.csv?figure=paying');
    assert.equal(customers[0], '\ufeffCustomer,Name,Plan,Price,Interval,A year,Change a year,Time,Currency');
    assert.match(customers[1]!, new RegExp(`^${customerId},.+,Business,100\\.00,year,100\\.00,100\\.00,\\S+Z,EUR$`));

    const changes = await saved('revenue/forecast.csv');
    assert.equal(changes[0], '\ufeffDay,What,Customer,Name,From,To,Price,Interval,Change a year,Currency');
    assert.match(
      changes[1]!,
      new RegExp(`^${day},Scheduled change,${customerId},.+,Business,Large,250\\.00,year,150\\.00,EUR$`),
    );
  });
});
