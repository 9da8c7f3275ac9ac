import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../test/factories.ts';
import { changePlan, restoreCustomer, suspendCustomer } from '../accounts/change-customer.ts';
import { operator } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { createPlan } from '../plans/plans.ts';
import { getBusiness } from './get-business.ts';

const TODAY = '2026-03-20';
const DAY_MS = 86_400_000;

onEachDatabase('summary of the business', (open) => {
  test("the overview's figures equal a recount of the ledger", async (t) => {
    const { db } = await open(t);
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2025-03-10T12:00:00Z') });
    const { accountId } = await makeAccount(db);
    const commit = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);
    const plan = (price: string) => ({ name: price, price, interval: 'month', isDefault: false });
    const plans: number[] = [];
    for (const price of ['0', '10', '49.99'])
      plans.push(await commit((trx) => createPlan(trx, accountId, plan(price), operator)));
    const ids: number[] = [];
    for (let step = 0; step < 60; step++) {
      t.mock.timers.setTime(Date.now() + 8 * DAY_MS);
      if (Date.now() > Date.parse(`${TODAY}T00:00:00Z`)) break;
      ids.push(await makeCustomer(db, accountId));
      const move = { customerId: ids.at(-1)!, planId: plans[step % 3]! };
      await commit((trx) => changePlan(trx, accountId, move, operator));
      const earlier = ids[step - 5];
      if (earlier !== undefined && step % 2 === 1)
        await commit((trx) => suspendCustomer(trx, accountId, earlier, operator));
      const lost = ids[step - 7];
      if (lost !== undefined && step % 4 === 1) await commit((trx) => restoreCustomer(trx, accountId, lost, operator));
    }
    t.mock.timers.reset();

    const business = await getBusiness(db, accountId, TODAY);
    const ledger = await recountLedger(db, accountId);
    assert.deepEqual(business.days, { from: '2026-02-19', to: TODAY });
    const nextMonth = (from: string) => Temporal.PlainDate.from(from).add({ months: 1 }).toString();
    assert.deepEqual(
      business.months,
      [...business.months.keys()].map((index) => {
        const from = Temporal.PlainDate.from('2025-04-01').add({ months: index }).toString();
        return { from, annualCents: ledger.at(nextMonth(from)).annualCents };
      }),
    );
    assert.equal(business.months.length, 12);
    const [start, end] = [ledger.at('2026-02-19'), ledger.at('2026-03-21')];
    for (const [totals, counted] of [
      [business.start, start],
      [business.end, end],
    ] as const) {
      assert.deepEqual(
        [totals.annualCents, totals.paying, totals.paying + totals.free],
        [counted.annualCents, counted.paying.size, counted.active],
      );
    }
    const { new: first, reactivation, churn } = business.movements;
    assert.equal(first.count + reactivation.count - churn.count, end.paying.size - start.paying.size);
    assert.ok(first.count + reactivation.count > 0 && churn.count > 0);
  });
});

/** Counts the ledger again, from its first line up to the beginning of a day in UTC, in the simplest way. */
async function recountLedger(db: Db, seller: number) {
  const ledger = await db
    .selectFrom('plan_changes')
    .selectAll()
    .where('account_id', '=', seller)
    .orderBy('id')
    .execute();
  return {
    at(day: string) {
      const monthly = new Map<number, number>();
      for (const line of ledger.filter(({ created_at }) => created_at < Date.parse(day))) {
        if (line.kind === 'suspended') monthly.delete(line.customer_id);
        else monthly.set(line.customer_id, line.to_price_cents!);
      }
      const paying = new Map([...monthly].filter(([, cents]) => cents > 0));
      const annualCents = [...paying.values()].reduce((sum, cents) => sum + 12 * cents, 0);
      return { annualCents, paying, active: monthly.size };
    },
  };
}
