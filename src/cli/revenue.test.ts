import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli, runCliJson } from '../../test/cli.ts';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../test/factories.ts';

onEachDatabase('revenue commands', (open) => {
  test('revenue commands print the revenue of a past day, its movements, and the customers behind each figure', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-06-30T23:30:00Z') });
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    const bakery = await makeCustomer(db, accountId, 'bakery');
    const price = ['--price', '100', '--interval', 'year'];
    await runCliJson(config, 'plan', 'create', '--account', 'acme', '--name', 'Business', ...price);
    await runCliJson(config, 'customer', 'plan', 'bakery', 'Business');
    t.mock.timers.setTime(Date.parse('2026-07-01T00:30:00Z'));
    await runCliJson(config, 'customer', 'suspend', 'bakery');

    const days = ['--account', 'acme', '--from', '2026-06-15', '--as-of'];
    const { revenue } = await runCliJson(config, 'revenue', 'show', ...days, '2026-07-02');
    assert.deepEqual(
      revenue.periods.map(({ from, to, end }: Record<string, unknown>) => ({ from, to, end })),
      [
        {
          from: '2026-06-15',
          to: '2026-06-30',
          end: { mrr: '8.33', arr: '100.00', active_customers: 1, paying_customers: 1, free_customers: 0 },
        },
        {
          from: '2026-07-01',
          to: '2026-07-02',
          end: { mrr: '0.00', arr: '0.00', active_customers: 0, paying_customers: 0, free_customers: 0 },
        },
      ],
    );
    assert.deepEqual(Object.values(revenue.rates), ['100.00', '100.00', '0.00', '0.00']);
    const years = await runCliJson(config, 'revenue', 'show', ...days, '2026-07-02', '--by', 'year');
    assert.equal(years.revenue.periods.length, 1);
    assert.equal((await runCli(config, 'revenue', 'show', ...days, '2026-07-02', '--by', 'week')).code, 2);
    assert.deepEqual(revenue.movements.churn, { mrr: '8.33', arr: '100.00', count: 1 });
    const shown = await runCli(config, 'revenue', 'show', ...days, '2026-07-02');
    assert.match(
      shown.out,
      /2026-07-02 +0\.00 +0\.00 +0\.00 +8\.33 +0\.00 +-8\.33 +0\.00 +100\.00 % +100\.00 % +0\.00 % +0\.00 %\n/,
    );

    const list = async (figure: string, day: string) =>
      (await runCliJson(config, 'revenue', 'customers', '--figure', figure, ...days, day)).customers;
    assert.deepEqual(await list('paying', '2026-06-30'), [
      {
        id: `account_${bakery}`,
        name: 'Customer bakery',
        plan_name: 'Business',
        plan_price: '100.00',
        interval: 'year',
        arr: '100.00',
        arr_change: '100.00',
        at: '2026-06-30 23:30:00 +0000',
      },
    ]);
    assert.deepEqual(await list('paying', '2026-07-02'), []);
    const [churn] = await list('churn', '2026-07-02');
    assert.deepEqual([churn.arr, churn.arr_change, churn.plan_name], ['0.00', '-100.00', null]);

    for (const [day, from] of [
      ['2026-06-31', '2026-06-15'],
      ['2026-06-30', '2026-07-01'],
    ] as const) {
      const wrong = await runCli(config, 'revenue', 'show', '--account', 'acme', '--from', from, '--as-of', day);
      assert.equal(wrong.code, 2);
    }
    const unknown = await runCli(config, 'revenue', 'customers', '--account', 'acme', '--figure', 'all');
    assert.equal(unknown.code, 2);
  });
});
