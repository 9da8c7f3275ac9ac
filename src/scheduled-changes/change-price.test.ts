import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { actor, makeAccount, makeCustomer } from '../../test/factories.ts';
import { changePlan, suspendCustomer } from '../accounts/change-customer.ts';
import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { updatePlan } from '../plans/change-plan.ts';
import { createPlan, listPlans } from '../plans/plans.ts';
import { getRevenueTotals } from '../revenue/revenue-totals.ts';
import { changePrice, undoPriceChange } from './change-price.ts';
import { makeDueChanges } from './make-due-changes.ts';
import { listWaitingPriceChanges, previewPriceChange } from './price-change.ts';
import { schedulePlanChange } from './schedule-plan-change.ts';
import { listScheduledChanges } from './scheduled-change.ts';

const DAY = '2026-04-01';

onEachDatabase('price changes', (open) => {
  /** Makes a seller with three paying customers. One is suspended, and another has a scheduled move to another plan. */
  async function start(t: Parameters<typeof open>[0]) {
    const { db } = await open(t);
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-03-01T12:00:00Z') });
    const { accountId: seller, userId } = await makeAccount(db);
    const by = actor(userId);
    const commit = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);
    const limits = { pages: 10, people: 1, storage: 500, domains: null };
    const business = { name: 'Business', price: '49', interval: 'month', isDefault: true, ...limits };
    const planId = await commit((trx) => createPlan(trx, seller, business, by));
    const [free] = await listPlans(db, seller);
    const ids = { active: await makeCustomer(db, seller), suspended: 0, leaving: 0 };
    ids.suspended = await makeCustomer(db, seller);
    ids.leaving = await makeCustomer(db, seller);
    await commit((trx) => suspendCustomer(trx, seller, ids.suspended, by));
    const leave = { customerId: ids.leaving, planId: free!.id, day: '2026-05-01' };
    await commit((trx) => schedulePlanChange(trx, seller, leave, by));
    const change = (day?: string, price = '59.00') =>
      commit((trx) => changePrice(trx, seller, { planId, name: 'Business 2026', price, day }, by));
    const undo = (id: number) => commit((trx) => undoPriceChange(trx, seller, id, by));
    const plans = async () =>
      (await listPlans(db, seller)).map(({ name, price_cents, is_default, retired_at }) => [
        ...[name, price_cents, is_default === 1, retired_at !== null],
      ]);
    const scheduled = async () =>
      (await listScheduledChanges(db, seller, { limit: 10 })).map(({ customerId, plan, day }) => [
        ...[customerId, plan.name, day],
      ]);
    return { db, seller, by, commit, planId, free: free!, ids, change, undo, plans, scheduled };
  }
  const leaving = (ids: { leaving: number }) => [ids.leaving, 'Free', '2026-05-01'];

  test('a price change for new customers replaces the plan with one that has the same limits', async (t) => {
    const { db, seller, change, undo, plans, scheduled, ids } = await start(t);
    const before = await plans();
    const { id, planId, moves } = await change();
    assert.equal(moves, 0);
    assert.deepEqual(await plans(), [
      ['Free', 0, false, false],
      ['Business 2026', 5900, true, false],
      ['Business', 4900, false, true],
    ]);
    const plan = (await listPlans(db, seller)).find((one) => one.id === planId)!;
    assert.deepEqual(
      [plan.max_pages, plan.max_people, plan.max_storage_bytes, plan.max_domains],
      [10, 1, 500 * 2 ** 20, null],
    );
    assert.deepEqual(await scheduled(), [leaving(ids)]);
    assert.deepEqual(await listWaitingPriceChanges(db, seller), []);
    await undo(id);
    assert.deepEqual(await plans(), before);
  });

  test('a dated price change moves all customers without another scheduled change, and alters no past figure', async (t) => {
    const { db, seller, planId, ids, change, scheduled } = await start(t);
    assert.deepEqual(await previewPriceChange(db, seller, { planId, price: '59.00' }), {
      moves: 2,
      active: 1,
      others: 1,
      annualCents: 12 * 4900,
      newAnnualCents: 12 * 5900,
    });
    const made = await change(DAY);
    assert.equal(made.moves, 2);
    const waiting = { id: made.id, fromPlanId: planId, toPlanId: made.planId, day: DAY, moves: 2 };
    assert.deepEqual(await listWaitingPriceChanges(db, seller), [waiting]);
    assert.deepEqual(await scheduled(), [
      [ids.active, 'Business 2026', DAY],
      [ids.suspended, 'Business 2026', DAY],
      leaving(ids),
    ]);
    const begins = Date.parse(`${DAY}T00:00:00Z`);
    const revenue = async (at: number) => (await getRevenueTotals(db, seller, at)).annualCents;
    const past = await revenue(begins);
    t.mock.timers.setTime(begins);
    assert.equal(await makeDueChanges(db), 2);
    assert.equal(await revenue(begins), past);
    assert.equal(await revenue(begins + 1), past + 12 * 1000);
    const on = await db
      .selectFrom('accounts')
      .select('plan_id')
      .where('parent_id', '=', seller)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      on.map(({ plan_id }) => plan_id),
      [made.planId, made.planId, planId],
    );
    assert.deepEqual(await listWaitingPriceChanges(db, seller), []);
  });

  test('the preview of a price change leaves out the payments of customers in their trial', async (t) => {
    const { db, seller, by, commit, planId } = await start(t);
    await commit((trx) => updatePlan(trx, seller, { planId, trialDays: 14 }, by));
    await makeCustomer(db, seller);
    assert.deepEqual(await previewPriceChange(db, seller, { planId, price: '59.00' }), {
      moves: 3,
      active: 2,
      others: 1,
      annualCents: 12 * 4900,
      newAnnualCents: 12 * 5900,
    });
  });

  test('a price change can be undone until its day, even if a customer has come at the new price', async (t) => {
    const { db, seller, by, commit, free, ids, change, undo, plans, scheduled } = await start(t);
    const before = await plans();
    await undo((await change(DAY)).id);
    assert.deepEqual([await plans(), await scheduled()], [before, [leaving(ids)]]);

    const again = await change(DAY);
    await makeCustomer(db, seller);
    await commit((trx) => changePlan(trx, seller, { customerId: ids.active, planId: free.id }, by));
    assert.deepEqual(await scheduled(), [[ids.suspended, 'Business 2026', DAY], leaving(ids)]);
    await undo(again.id);
    assert.deepEqual(await plans(), [
      ['Free', 0, false, false],
      ['Business 2026', 5900, false, true],
      ['Business', 4900, true, false],
    ]);
    const { accountId: stranger } = await makeAccount(db);
    const other = await commit((trx) =>
      changePrice(trx, seller, { planId: free.id, name: 'Not free', price: '1', day: DAY }, by),
    );
    await assert.rejects(
      commit((trx) => undoPriceChange(trx, stranger, other.id, by)),
      { code: 'not_found' },
    );
    t.mock.timers.setTime(Date.parse(`${DAY}T00:00:00Z`));
    await assert.rejects(undo(other.id), { code: 'not_found' });
  });

  test('a price change needs a different price, a later day and an unused name', async (t) => {
    const { seller, by, commit, planId, change, plans } = await start(t);
    const before = await plans();
    await assert.rejects(change(undefined, '49'), ValidationError);
    await assert.rejects(change(undefined, 'much'), ValidationError);
    await assert.rejects(change('2026-03-01'), ValidationError);
    await assert.rejects(
      commit((trx) => changePrice(trx, seller, { planId, name: 'Free', price: '59' }, by)),
      ValidationError,
    );
    assert.deepEqual(await plans(), before);
  });
});
