import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../test/factories.ts';
import { changePlan, suspendCustomer } from '../accounts/change-customer.ts';
import { endDueTrials } from '../accounts/end-due-trials.ts';
import { operator } from '../audit/record-audit-event.ts';
import { createPlan, listPlans } from '../plans/plans.ts';
import { makeDueChanges } from '../scheduled-changes/make-due-changes.ts';
import { schedulePlanChange } from '../scheduled-changes/schedule-plan-change.ts';
import { getForecast, listForecast } from './get-forecast.ts';
import { getRevenueTotals } from './revenue-totals.ts';

const NOW = Date.parse('2026-03-20T12:00:00Z');
const DAY_MS = 86_400_000;
const dayOf = (index: number) => new Date(NOW + index * DAY_MS).toISOString().slice(0, 10);

const customer = fc.record({
  plan: fc.nat(3),
  schedule: fc.option(fc.record({ plan: fc.nat(3), day: fc.integer({ min: 1, max: 40 }) })),
  isSuspended: fc.nat(5).map((number) => number === 0),
});

onEachDatabase('revenue forecast', (open) => {
  test('the forecast of each month equals the revenue at its end, if nothing else happens', async (t) => {
    const { db } = await open(t);
    t.mock.timers.enable({ apis: ['Date'], now: NOW });
    await fc.assert(
      fc.asyncProperty(fc.array(customer, { minLength: 1, maxLength: 8 }), async (customers) => {
        t.mock.timers.setTime(NOW);
        const { accountId: seller } = await makeAccount(db);
        const plans = [(await listPlans(db, seller))[0]!.id];
        for (const [price, interval, trialDays] of [
          ['10', 'month', 20],
          ['99.99', 'quarter', 0],
          ['300', 'year', 5],
        ] as const) {
          const plan = { name: price, price, interval, isDefault: false, trialDays };
          plans.push(await db.transaction().execute((trx) => createPlan(trx, seller, plan, operator)));
        }
        for (const { plan, schedule, isSuspended } of customers) {
          const customerId = await makeCustomer(db, seller);
          await db.transaction().execute(async (trx) => {
            await changePlan(trx, seller, { customerId, planId: plans[plan]! }, operator);
            if (schedule && schedule.plan !== plan) {
              const change = { customerId, planId: plans[schedule.plan]!, day: dayOf(schedule.day) };
              await schedulePlanChange(trx, seller, change, operator);
            }
            if (isSuspended) await suspendCustomer(trx, seller, customerId, operator);
          });
        }
        const { annualCents: now, months } = await getForecast(db, seller);
        const lines = await listForecast(db, seller, { limit: 100 });
        assert.equal(now, (await getRevenueTotals(db, seller, Number.MAX_SAFE_INTEGER)).annualCents);
        let annual = now;
        for (const { month, moves, trials, annualCents } of months) {
          const own = await listForecast(db, seller, { month, limit: 100 });
          for (const [kind, { count, annualCents: change }] of [
            ['move', moves],
            ['trial', trials],
          ] as const) {
            const of = own.filter((line) => line.kind === kind);
            assert.deepEqual([of.length, of.reduce((sum, { changeCents }) => sum + changeCents, 0)], [count, change]);
          }
          annual += moves.annualCents + trials.annualCents;
          assert.equal(annualCents, annual);
        }
        // The list is the same if it is read line by line.
        const parts = [];
        for (let after: (typeof lines)[number] | undefined; ; ) {
          const [line] = await listForecast(db, seller, { after, limit: 1 });
          if (!line) break;
          parts.push(line);
          after = line;
        }
        assert.deepEqual(parts, lines);
        await letDaysPass(db, seller, months);
      }),
      { numRuns: 8 },
    );

    async function letDaysPass(
      database: typeof db,
      seller: number,
      months: Awaited<ReturnType<typeof getForecast>>['months'],
    ): Promise<void> {
      for (let index = 1; index <= 70; index++) {
        t.mock.timers.setTime(NOW + index * DAY_MS);
        await makeDueChanges(database);
        await endDueTrials(database);
        const [month, tomorrow] = [dayOf(index).slice(0, 7), dayOf(index + 1).slice(0, 7)];
        if (month === tomorrow) continue;
        const { annualCents } = await getRevenueTotals(database, seller, Number.MAX_SAFE_INTEGER);
        const known = months.findLast((one) => one.month <= month);
        if (known) assert.equal(annualCents, known.annualCents, month);
      }
    }
  });
});
