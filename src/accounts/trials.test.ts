import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ColumnNode, type RootOperationNode } from 'kysely';
import { onEachDatabase } from '../../test/databases.ts';
import { actor, addresses, makeAccount, makeCustomer } from '../../test/factories.ts';
import { operator } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { createPlan, listPlans } from '../plans/plans.ts';
import { getRevenueTotals } from '../revenue/revenue-totals.ts';
import { makeDueChanges } from '../scheduled-changes/make-due-changes.ts';
import { schedulePlanChange } from '../scheduled-changes/schedule-plan-change.ts';
import { getAccountSummary } from './account-summary.ts';
import { changePlan, restoreCustomer, suspendCustomer } from './change-customer.ts';
import { endDueTrials } from './end-due-trials.ts';

const FIRST_DAY = '2026-03-01';
const DAY_MS = 86_400_000;
const TRIAL_DAYS = 5;
const dayOf = (index: number) => new Date(Date.parse(FIRST_DAY) + index * DAY_MS).toISOString().slice(0, 10);

interface Step {
  action: 'create' | 'move' | 'schedule' | 'suspend' | 'restore';
  customer: number;
  plan: number;
  days: number;
}

const history = fc.array(
  fc.record<Step>({
    action: fc.constantFrom('create', 'create', 'move', 'move', 'schedule', 'suspend', 'restore'),
    customer: fc.nat(2),
    plan: fc.nat(2),
    days: fc.nat(3),
  }),
  { minLength: 8, maxLength: 24 },
);

onEachDatabase('trials', (open) => {
  async function start(t: Parameters<typeof open>[0]) {
    const { db } = await open(t);
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse(`${FIRST_DAY}T12:00:00Z`) });
    return { db, setDay: (index: number) => t.mock.timers.setTime(Date.parse(`${dayOf(index)}T12:00:00Z`)) };
  }

  /**
   * Creates a seller with a free plan and two plans with prices. The first of these has a trial, and is the default unless
   * `beginsFree` is set.
   */
  async function makeSeller(db: Db, beginsFree = false) {
    const { accountId: seller, userId } = await makeAccount(db);
    const commit = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);
    const [free] = await listPlans(db, seller);
    const plan = (price: string, trialDays: number) =>
      commit((trx) =>
        createPlan(
          trx,
          seller,
          { name: price, price, interval: 'month', isDefault: trialDays > 0 && !beginsFree, trialDays },
          actor(userId),
        ),
      );
    const plans = [free!.id, await plan('10', TRIAL_DAYS), await plan('25', 0)];
    return { seller, plans, commit };
  }

  test('after random plan changes and suspensions, counts and revenue of trials equal those of a simple model', async (t) => {
    const { db, setDay } = await start(t);
    await fc.assert(
      fc.asyncProperty(fc.boolean(), history, async (beginsFree, steps) => {
        setDay(0);
        const { seller, plans, commit } = await makeSeller(db, beginsFree);
        const model = new Model();
        const ids: number[] = [];
        for (const { action, customer, plan, days } of steps) {
          for (let passed = 0; passed < days; passed++) {
            model.nextDay();
            setDay(model.today);
            await Promise.all([makeDueChanges(db), makeDueChanges(db)]);
            await Promise.all([endDueTrials(db), endDueTrials(db)]);
            await compare(db, seller, model);
          }
          const customerId = ids[customer];
          if (customerId === undefined) {
            ids.push(await makeCustomer(db, seller));
            model.create(beginsFree ? 0 : 1);
          } else if (model.allows(action, customer, plan)) {
            await commit(async (trx) => {
              const move = { customerId, planId: plans[plan]! };
              if (action === 'move') await changePlan(trx, seller, move, operator);
              if (action === 'schedule')
                await schedulePlanChange(trx, seller, { ...move, day: dayOf(model.today + 2) }, operator);
              if (action === 'suspend') await suspendCustomer(trx, seller, customerId, operator);
              if (action === 'restore') await restoreCustomer(trx, seller, customerId, operator);
            });
            model.act(action, customer, plan);
          }
          await compare(db, seller, model);
        }
      }),
      { numRuns: 8 },
    );
  });

  test('a trial ends once, even if several processes end it at once or the clock is set back', async (t) => {
    const { db, setDay } = await start(t);
    const { seller, plans } = await makeSeller(db);
    const customerId = await makeCustomer(db, seller);
    const lines = async () =>
      (await db.selectFrom('plan_changes').select(['kind', 'is_trial', 'to_plan_id']).orderBy('id').execute()).map(
        ({ kind, is_trial, to_plan_id }) => [kind, is_trial, to_plan_id],
      );
    setDay(TRIAL_DAYS - 1);
    assert.equal(await endDueTrials(db), 0);
    setDay(TRIAL_DAYS);
    const ended = await Promise.all([endDueTrials(db), endDueTrials(db), endDueTrials(db)]);
    assert.equal(
      ended.reduce((sum, count) => sum + count),
      1,
    );
    setDay(1);
    assert.equal(await endDueTrials(db), 0);
    setDay(TRIAL_DAYS + 1);
    assert.equal(await endDueTrials(db), 0);
    assert.deepEqual(await lines(), [
      ['created', 1, plans[1]],
      ['moved', 0, plans[1]],
    ]);
    const log = db.selectFrom('audit_log').select(['account_id', 'action']).where('action', 'like', '%.trial_ended');
    assert.deepEqual(
      (await log.orderBy('id').execute()).map(({ account_id, action }) => [account_id, action]),
      [
        [seller, 'customer.trial_ended'],
        [customerId, 'account.trial_ended'],
      ],
    );
  });

  test('ending the trials of many customers takes as many statements as ending those of a few', async (t) => {
    const { db, setDay } = await start(t);
    const { seller } = await makeSeller(db);
    const counts: number[] = [];
    for (const [index, customers] of [1, 2, 40].entries()) {
      setDay(index * (TRIAL_DAYS + 1));
      for (let count = 0; count < customers; count++) await makeCustomer(db, seller);
      setDay(index * (TRIAL_DAYS + 1) + TRIAL_DAYS);
      let statements = 0;
      assert.equal(await endDueTrials(observed(db, () => (statements += 1))), customers);
      counts.push(statements);
    }
    // The first run prepares the statements.
    assert.equal(counts[1], counts[2]);
    assert.equal(await endDueTrials(db), 0);
  });

  test('trials end once after a crash, and one by one if they cannot end together', async (t) => {
    const { db, setDay } = await start(t);
    const { seller } = await makeSeller(db);
    const ids = [await makeCustomer(db, seller), await makeCustomer(db, seller), await makeCustomer(db, seller)];
    await db.transaction().execute((trx) => suspendCustomer(trx, seller, ids[2]!, operator));
    setDay(TRIAL_DAYS);
    const ledger = db.selectFrom('plan_changes').select(['customer_id', 'kind']).where('kind', '=', 'moved');
    const crash = () => {
      throw new Error('crash');
    };
    const isCount = (node: RootOperationNode) =>
      node.kind === 'UpdateQueryNode' && 'trial_customers' in updatesOf(node);
    await assert.rejects(endDueTrials(observed(db, (node) => isCount(node) && crash())), /crash/);
    assert.deepEqual(await ledger.execute(), []);
    // The suspended customer is not counted.
    assert.equal(await endDueTrials(db), 2);
    let updates = 0;
    setDay(0);
    for (let count = 0; count < 2; count++) await makeCustomer(db, seller);
    setDay(TRIAL_DAYS + 1);
    assert.equal(await endDueTrials(observed(db, (node) => isCount(node) && updates++ === 0 && crash())), 2);
    assert.deepEqual([updates, (await ledger.execute()).length], [3, 4]);
  });
});

/** Returns the database with a callback that sees each statement that Kysely builds. */
function observed(db: Db, look: (node: RootOperationNode) => unknown): Db {
  return db.withPlugin({
    transformQuery: ({ node }) => {
      look(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  }) as Db;
}

/** Returns the columns that a statement sets. */
function updatesOf(node: RootOperationNode): Record<string, true> {
  const updates = node.kind === 'UpdateQueryNode' ? (node.updates ?? []) : [];
  return Object.fromEntries(updates.map(({ column }) => [ColumnNode.is(column) ? column.column.name : '', true]));
}

async function compare(db: Db, seller: number, model: Model): Promise<void> {
  const { payingCustomers, freeCustomers, monthlyRevenue } = await getAccountSummary(db, seller, addresses);
  const expected = model.figures();
  assert.deepEqual({ paying: payingCustomers, free: freeCustomers, monthly: monthlyRevenue }, expected);
  const { annualCents, paying, free } = await getRevenueTotals(db, seller, Date.now() + 1);
  assert.deepEqual({ paying, free, monthly: (annualCents / 1200).toFixed(2) }, expected);
}

interface Customer {
  plan: number;
  isActive: boolean;
  /** The index of the day from which the customer pays; undefined before its first plan with a price. */
  paysFrom: number | undefined;
  hasPrice: boolean;
  scheduled: { plan: number; day: number } | undefined;
}

/** A simple model of what customers pay, computed day by day. */
class Model {
  today = 0;
  readonly #customers: Customer[] = [];

  create(plan: number): void {
    this.#customers.push({ plan: 0, isActive: true, paysFrom: undefined, hasPrice: false, scheduled: undefined });
    this.#put(this.#customers.at(-1)!, plan);
  }

  /** Returns true if the service accepts the action. */
  allows(action: Step['action'], index: number, plan: number): boolean {
    if (action === 'create') return false;
    return action !== 'schedule' || this.#customers[index]!.plan !== plan;
  }

  act(action: Step['action'], index: number, plan: number): void {
    const customer = this.#customers[index]!;
    if (action === 'move') this.#put(customer, plan);
    if (action === 'schedule') customer.scheduled = { plan, day: this.today + 2 };
    if (action === 'suspend') customer.isActive = false;
    if (action === 'restore') customer.isActive = true;
  }

  nextDay(): void {
    this.today++;
    for (const customer of this.#customers) {
      if (customer.scheduled?.day !== this.today) continue;
      // Scheduled changes skip suspended customers.
      if (customer.isActive) this.#put(customer, customer.scheduled.plan);
      customer.scheduled = undefined;
    }
  }

  figures() {
    const prices = [0, 10, 25];
    const active = this.#customers.filter(({ isActive }) => isActive);
    const paid = active.map(({ plan, paysFrom }) => (this.today >= (paysFrom ?? 0) ? prices[plan]! : 0));
    const paying = paid.filter((price) => price > 0);
    const monthly = paying.reduce((sum, price) => sum + price, 0);
    return { paying: paying.length, free: active.length - paying.length, monthly: monthly.toFixed(2) };
  }

  #put(customer: Customer, plan: number): void {
    if (customer.plan !== plan && plan > 0 && !customer.hasPrice) {
      customer.hasPrice = true;
      if (plan === 1) customer.paysFrom = this.today + TRIAL_DAYS;
    }
    customer.plan = plan;
  }
}
