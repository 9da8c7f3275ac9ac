import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { onEachDatabase } from '../../test/databases.ts';
import { dumpRows } from '../../test/dump-rows.ts';
import { actor, makeAccount, makeCustomer } from '../../test/factories.ts';
import { operator } from '../audit/record-audit-event.ts';
import type { Db } from '../db/database.ts';
import { retirePlan } from '../plans/change-plan.ts';
import { createPlan, listPlans } from '../plans/plans.ts';
import { type CustomerOutcome, changeCustomers } from './change-customers.ts';
import type { CustomerChange } from './customer-change.ts';

onEachDatabase('changing many customers', (open) => {
  const start = async (db: Db) => {
    const { accountId, userId } = await makeAccount(db, 'acme');
    const ids = [];
    for (const subdomain of ['one', 'two', 'three', 'four']) ids.push(await makeCustomer(db, accountId, subdomain));
    const { accountId: other } = await makeAccount(db, 'other');
    ids.push(await makeCustomer(db, other, 'foreign'));
    await makeCustomer(db, ids[0]!, 'below');
    const plans = await db.transaction().execute(async (trx) => {
      for (const [name, price] of [
        ['Small', '9'],
        ['Large', '49'],
        ['Retired', '5'],
      ] as const) {
        const id = await createPlan(
          trx,
          accountId,
          { name, price, interval: 'month', isDefault: false, trialDays: name === 'Large' ? 14 : 0 },
          operator,
        );
        if (name === 'Retired') await retirePlan(trx, accountId, id, operator);
      }
      return listPlans(trx, accountId);
    });
    return { accountId, by: actor(userId), ids: [...ids, 999_999], plans: [...plans.map(({ id }) => id), 999_999] };
  };
  const [customer, plan] = [fc.nat(5), fc.nat(4)];
  const reason = fc.constantFrom('', 'Because', ' Because ', 'x'.repeat(501));
  const step = fc.oneof(
    fc.record({ kind: fc.constant('plan' as const), customer, plan, seen: fc.option(plan) }),
    fc.record({ kind: fc.constant('suspend' as const), customer, reason: fc.option(reason) }),
    fc.record({ kind: fc.constant('restore' as const), customer, seen: fc.constantFrom(undefined, null, 'Because') }),
    fc.record({ kind: fc.constantFrom('delete' as const, 'undelete' as const), customer }),
  );
  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

  test('changing customers together writes the same rows and returns the same outcomes as one by one', async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 40 }), async (steps) => {
        const runs = [];
        for (const size of [1, steps.length]) {
          const { db } = await open(t);
          const { accountId, by, ids, plans } = await start(db);
          const changes = steps.map((one) => toChange(one, ids, plans));
          const outcomes = [];
          for (let at = 0; at < changes.length; at += size) {
            const some = changes.slice(at, at + size);
            outcomes.push(
              ...(await db.transaction().execute((trx) => changeCustomers(trx, accountId, some, by, 1_000_000))),
            );
          }
          runs.push({ outcomes: outcomes.map(toText), rows: await dumpRows(db) });
        }
        assert.deepEqual(runs[1], runs[0]);
      }),
      { numRuns: 2, endOnFailure: true },
    );
  });

  function toChange(one: Step, ids: number[], plans: number[]): CustomerChange {
    const id = ids[one.customer]!;
    if (one.kind === 'plan') {
      const seenPlanId = one.seen === null ? undefined : plans[one.seen];
      return { kind: 'plan', id, planId: plans[one.plan]!, seenPlanId };
    }
    if (one.kind === 'suspend') return { kind: 'suspend', id, reason: one.reason ?? undefined };
    if (one.kind === 'restore') return { kind: 'restore', id, seenReason: one.seen };
    return { kind: one.kind, id };
  }

  function toText(outcome: CustomerOutcome) {
    if ('refusal' in outcome) return outcome.refusal.message;
    return [outcome.before, outcome.after].map(({ plan_id, status, suspension_reason, deletes_at }) => {
      return [plan_id, status, suspension_reason, deletes_at];
    });
  }
});
