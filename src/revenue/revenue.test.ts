import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../test/factories.ts';
import { changePlan, restoreCustomer, suspendCustomer } from '../accounts/change-customer.ts';
import { endDueTrials } from '../accounts/end-due-trials.ts';
import { operator } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { fillFromLedger } from '../db/migrations/030-revenue.ts';
import { fillFirstLines, fillPlanLines } from '../db/migrations/044-plan-revenue.ts';
import { createPlan } from '../plans/plans.ts';
import { makeDueChanges } from '../scheduled-changes/make-due-changes.ts';
import { cancelScheduledChange, schedulePlanChange } from '../scheduled-changes/schedule-plan-change.ts';
import { findScheduledChange } from '../scheduled-changes/scheduled-change.ts';
import { dayAt } from './days.ts';
import { getCohorts } from './get-cohorts.ts';
import { getRevenueByPlan } from './get-revenue-by-plan.ts';
import { listFigureCustomers, type RevenueFigure } from './list-figure-customers.ts';
import { listCustomersInState, listMovements } from './list-revenue-customers.ts';
import type { RevenueRates } from './revenue-rates.ts';
import { type Days, getRevenueReport, type RevenueStep } from './revenue-report.ts';
import { sumMovements } from './revenue-totals.ts';

const FIRST_DAY = '2024-02-20';
const DAYS = 40;
const kinds = ['new', 'expansion', 'contraction', 'churn', 'reactivation'] as const;

const history = fc.record({
  timeZone: fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/New_York', 'Pacific/Apia'),
  steps: fc.array(
    fc.record({
      action: fc.constantFrom('create', 'move', 'move', 'schedule', 'schedule', 'cancel', 'suspend', 'restore'),
      customer: fc.nat(3),
      plan: fc.nat(4),
      minutes: fc.integer({ min: -30, max: 3000 }),
    }),
    { minLength: 5, maxLength: 25 },
  ),
});

onEachDatabase('revenue', (open) => {
  test('the revenue of every day and range of random histories equals a recount of the ledger, to the cent', async (t) => {
    const { db } = await open(t);
    t.mock.timers.enable({ apis: ['Date'] });
    await fc.assert(
      fc.asyncProperty(history, async ({ timeZone, steps }) => {
        t.mock.timers.setTime(Date.parse(`${FIRST_DAY}T20:00:00Z`));
        const wait = (minutes: number) => t.mock.timers.setTime(Date.now() + minutes * 60_000);
        const seller = await runSteps(db, steps, wait, 3);
        await db
          .transaction()
          .execute((trx) =>
            trx.updateTable('accounts').set({ time_zone: timeZone }).where('id', '=', seller).execute(),
          );
        await checkEveryDay(db, seller, timeZone);
        await checkPlans(db, seller, timeZone);
        await checkCohorts(db, seller, timeZone);
      }),
      { numRuns: 6 },
    );
    t.mock.timers.reset();
  });

  test('migrations fill in the revenue of an existing ledger as new lines would have recorded it', async (t) => {
    const { db } = await open(t);
    await fc.assert(
      fc.asyncProperty(history, async ({ steps }) => void (await runSteps(db, steps, () => {}))),
      { numRuns: 3 },
    );
    const lines = async () => [
      await db.selectFrom('revenue_lines').selectAll().orderBy('line_id').execute(),
      await db.selectFrom('plan_revenue_lines').selectAll().orderBy('line_id').orderBy('plan_id').execute(),
    ];
    const recorded = await lines();
    await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('revenue_lines').execute();
      await trx.deleteFrom('plan_revenue_lines').execute();
      for (const fill of [fillFromLedger, fillFirstLines, fillPlanLines]) await sql.raw(fill).execute(trx);
    });
    assert.deepEqual(await lines(), recorded);
  });

  test('the first payment is new revenue, a move to a free plan is churn, and a later payment is reactivation', async (t) => {
    const { db } = await open(t);
    const { seller, plans } = await makeSeller(db);
    const customerId = await makeCustomer(db, seller);
    for (const planId of [plans[1]!, plans[3]!, plans[2]!, plans[0]!, plans[1]!]) {
      await db.transaction().execute((trx) => changePlan(trx, seller, { customerId, planId }, operator));
    }
    const lines = await db.selectFrom('revenue_lines').select('movement').orderBy('line_id').execute();
    const movements = [null, 'new', 'contraction', 'expansion', 'churn', 'reactivation'];
    assert.deepEqual(
      lines.map(({ movement }) => movement),
      movements,
    );
  });

  test('an account without customers has no revenue and no rates', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const { end, periods, rates } = await getRevenueReport(db, accountId, { from: '2024-01-15', to: '2024-03-02' });
    assert.deepEqual([end.annualCents, end.paying, end.free], [0, 0, 0]);
    assert.deepEqual(new Set(Object.values(rates)), new Set([null]));
    assert.deepEqual(
      periods.map(({ from, to }) => [from, to]),
      [
        ['2024-01-15', '2024-01-31'],
        ['2024-02-01', '2024-02-29'],
        ['2024-03-01', '2024-03-02'],
      ],
    );
  });

  test('reports by quarter and year use calendar periods, which the range may cut off at both ends', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const periods = async (step: RevenueStep) =>
      (await getRevenueReport(db, accountId, { from: '2023-11-15', to: '2024-05-02' }, step)).periods.map(
        ({ from, to }) => `${from} ${to}`,
      );
    const quarters = ['2023-11-15 2023-12-31', '2024-01-01 2024-03-31', '2024-04-01 2024-05-02'];
    assert.deepEqual(await periods('quarter'), quarters);
    assert.deepEqual(await periods('year'), ['2023-11-15 2023-12-31', '2024-01-01 2024-05-02']);
  });
});

/** Makes a seller with five plans, of which the first is free. The cents of the yearly price are no multiple of twelve. */
async function makeSeller(db: Db, trialDays = 0) {
  const { accountId: seller } = await makeAccount(db);
  const { id } = await db.selectFrom('plans').select('id').where('account_id', '=', seller).executeTakeFirstOrThrow();
  const plans = [id];
  for (const [price, interval] of [
    ['10', 'month'],
    ['29.99', 'quarter'],
    ['100.01', 'year'],
    ['120', 'year'],
  ] as const) {
    const plan = { name: `${price} a ${interval}`, price, interval, isDefault: false, trialDays };
    plans.push(await db.transaction().execute((trx) => createPlan(trx, seller, plan, operator)));
  }
  return { seller, plans };
}

type Step = { action: string; customer: number; plan: number; minutes: number };

/** Runs the steps with the functions that the API calls. Returns the seller. */
async function runSteps(
  db: Db,
  steps: readonly Step[],
  wait: (minutes: number) => void,
  trialDays = 0,
): Promise<number> {
  const { seller, plans } = await makeSeller(db, trialDays);
  const customers: number[] = [];
  for (const { action, customer, plan, minutes } of steps) {
    wait(minutes);
    await makeDueChanges(db);
    await endDueTrials(db);
    const customerId = customers[customer % Math.max(customers.length, 1)];
    if (customerId === undefined || action === 'create') {
      customers.push(await makeCustomer(db, seller));
      continue;
    }
    await db.transaction().execute(async (trx) => {
      const inTwoDays = dayAt(Date.now() + 2 * 86_400_000, 'UTC');
      const scheduled = await findScheduledChange(trx, seller, customerId);
      if (action === 'schedule' && !(await isOn(trx, customerId, plans[plan]!))) {
        await schedulePlanChange(trx, seller, { customerId, planId: plans[plan]!, day: inTwoDays }, operator);
      }
      if (action === 'cancel' && scheduled) await cancelScheduledChange(trx, seller, { customerId }, operator);
      if (action === 'move') await changePlan(trx, seller, { customerId, planId: plans[plan]! }, operator);
      if (action === 'suspend') await suspendCustomer(trx, seller, customerId, operator);
      if (action === 'restore') await restoreCustomer(trx, seller, customerId, operator);
    });
  }
  return seller;
}

async function isOn(trx: Trx, customerId: number, planId: number): Promise<boolean> {
  const { plan_id } = await trx
    .selectFrom('accounts')
    .select('plan_id')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow();
  return plan_id === planId;
}

async function checkEveryDay(db: Db, seller: number, timeZone: string): Promise<void> {
  const recount = await recountLedger(db, seller, timeZone);
  const days = Array.from({ length: DAYS }, (_, index) =>
    new Date(Date.parse(FIRST_DAY) + index * 86_400_000).toISOString().slice(0, 10),
  );
  for (const [index, day] of days.entries()) {
    const from = days[Math.max(0, index - 9)]!;
    const { start, end, movements, periods, rates } = await getRevenueReport(db, seller, { from, to: day });
    assert.deepEqual({ annual: end.annualCents, paying: end.paying, free: end.free }, recount.state(day), day);
    const counted = Object.fromEntries(kinds.map((kind) => [kind, movements[kind]]));
    assert.deepEqual(counted, recount.movements(from, day), `${from} to ${day}`);
    assert.equal(sumMovements(movements), end.annualCents - start.annualCents);
    assert.equal(
      periods.reduce((sum, period) => sum + sumMovements(period.movements), 0),
      sumMovements(movements),
    );
    checkRates(rates, recount, from, day);
    if (index % 10 === 9) await checkLists(db, seller, { start, end, movements });
  }
}

/** Compares the rates with the product of the shares that each calendar month of the range kept. */
function checkRates(rates: RevenueRates, recount: Awaited<ReturnType<typeof recountLedger>>, from: string, to: string) {
  const kept = { customers: 1, paid: 1, gross: 1, net: 1 };
  let isKnown = false;
  const [month, lastMonth] = [from.slice(0, 7), to.slice(0, 7)];
  const months: Array<readonly [string, string]> = [[from, month === lastMonth ? to : `${month}-31`]];
  if (month !== lastMonth) months.push([`${lastMonth}-01`, to]);
  for (const [first, last] of months) {
    const start = recount.state(new Date(Date.parse(first) - 86_400_000).toISOString().slice(0, 10));
    if (start.paying === 0) continue;
    isKnown = true;
    const { churn, contraction, expansion } = recount.movements(first, last);
    const share = (lost: number) => Math.max(0, 1 - lost / start.annual);
    kept.customers *= Math.max(0, 1 - churn!.count / start.paying);
    kept.paid *= share(churn!.annualCents);
    kept.gross *= share(churn!.annualCents + contraction!.annualCents);
    kept.net *= share(churn!.annualCents + contraction!.annualCents - expansion!.annualCents);
  }
  const expected = [1 - kept.customers, 1 - kept.paid, kept.gross, kept.net];
  const { customerChurn, revenueChurn, grossRetention, netRetention } = rates;
  for (const [index, rate] of [customerChurn, revenueChurn, grossRetention, netRetention].entries()) {
    if (!isKnown) assert.equal(rate, null);
    else assert.ok(Math.abs(rate! - expected[index]!) < 0.000051, `${from} to ${to}: ${rate} ${expected[index]}`);
  }
}

/** Compares each plan's figures in some ranges, and the lists behind them, with a recount. The plans must sum to the whole. */
async function checkPlans(db: Db, seller: number, timeZone: string): Promise<void> {
  const recount = await recountLedger(db, seller, timeZone);
  for (const days of someRanges) {
    const plans = await getRevenueByPlan(db, seller, days);
    const whole = await getRevenueReport(db, seller, days);
    const sum = (read: (plan: (typeof plans)[number]) => number) =>
      plans.reduce((total, plan) => total + read(plan), 0);
    assert.equal(
      sum(({ end }) => end.annualCents),
      whole.end.annualCents,
    );
    assert.equal(
      sum(({ start }) => start.annualCents),
      whole.start.annualCents,
    );
    assert.deepEqual([sum(({ end }) => end.paying), sum(({ end }) => end.free)], [whole.end.paying, whole.end.free]);
    for (const { planId } of plans) {
      const { end, movements } = await getRevenueReport(db, seller, days, 'month', planId);
      const { annualCents: annual, paying, free } = end;
      assert.deepEqual({ annual, paying, free }, recount.state(days.to, planId));
      const counted = Object.fromEntries(kinds.map((kind) => [kind, movements[kind]]));
      assert.deepEqual(
        counted,
        recount.movements(days.from, days.to, planId),
        `plan ${planId} ${days.from} ${days.to}`,
      );
      for (const figure of ['paying', 'free', ...kinds] as const) {
        const list = await sumList(db, seller, { figure, planId, ...days });
        const expected = { paying: [annual, paying], free: [0, free] }[figure as string];
        const movement = movements[figure as 'new'];
        assert.deepEqual(list, expected ?? [movement.annualCents, movement.count], `plan ${planId}: ${figure}`);
      }
    }
  }
}

async function checkCohorts(db: Db, seller: number, timeZone: string): Promise<void> {
  const recount = await recountLedger(db, seller, timeZone);
  for (const range of someRanges) {
    for (const { from, to, count, activeCount, annualCents } of await getCohorts(db, seller, range, 'month')) {
      assert.deepEqual(
        { count, activeCount, annualCents },
        recount.cohort(from, to, range.to),
        `${from} ${to} ${range.to}`,
      );
      const of = { from, to, asOf: range.to };
      assert.deepEqual(await sumList(db, seller, { figure: 'came', ...of }), [annualCents, count]);
      assert.deepEqual(await sumList(db, seller, { figure: 'stayed', ...of }), [annualCents, activeCount]);
    }
  }
}

const someRanges: Days[] = [
  { from: FIRST_DAY, to: '2024-03-01' },
  { from: '2024-02-25', to: '2024-03-10' },
  { from: '2024-01-01', to: '2024-04-15' },
];

/** Sums the list behind a figure. The sum must equal the total that comes with the list. */
async function sumList(
  db: Db,
  seller: number,
  figure: Days & { figure: RevenueFigure; planId?: number; asOf?: string },
): Promise<[annualCents: number, count: number]> {
  const { total, lines } = await listFigureCustomers(db, seller, figure, { after: 0, limit: 1000 });
  const isMovement = kinds.some((kind) => kind === figure.figure);
  const annual = lines.reduce((sum, line) => sum + (isMovement ? Math.abs(line.changeCents) : line.annualCents), 0);
  assert.deepEqual(total, { annualCents: annual, count: lines.length });
  return [annual, lines.length];
}

type Report = Pick<Awaited<ReturnType<typeof getRevenueReport>>, 'start' | 'end' | 'movements'>;

async function checkLists(db: Db, seller: number, { start, end, movements }: Report): Promise<void> {
  const lineId = end.lineId;
  const page = { after: 0, limit: 100 };
  const paying = await listCustomersInState(db, seller, { state: 'paying', lineId }, page);
  const free = await listCustomersInState(db, seller, { state: 'free', lineId }, page);
  assert.deepEqual([paying.length, free.length], [end.paying, end.free]);
  assert.equal(
    paying.reduce((sum, { annualCents }) => sum + annualCents, 0),
    end.annualCents,
  );
  for (const kind of kinds) {
    const range = { movement: kind, start: start.lineId, end: end.lineId };
    const first = await listMovements(db, seller, range, { after: 0, limit: 1 });
    const rest = await listMovements(db, seller, range, { after: first[0]?.lineId ?? 0, limit: 100 });
    const lines = first.length === 0 ? [] : [...first, ...rest];
    const annualCents = lines.reduce((sum, { changeCents }) => sum + Math.abs(changeCents), 0);
    assert.deepEqual({ annualCents, count: lines.length }, movements[kind]);
  }
}

/** Counts the ledger again from its first line, in the simplest way. A line belongs to no earlier day than the previous line. */
async function recountLedger(db: Db, seller: number, timeZone: string) {
  const ledger = await db
    .selectFrom('plan_changes')
    .selectAll()
    .where('account_id', '=', seller)
    .orderBy('id')
    .execute();
  const date = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeZone });
  const times = { month: 12, quarter: 4, year: 1 };
  type State = { active: boolean; annual: number; paid: boolean; plan?: number | undefined };
  const customers = new Map<number, State>();
  let day = '';
  const lines = ledger.map((line) => {
    const own = date.format(line.created_at);
    if (own > day) day = own;
    const isFirst = !customers.has(line.customer_id);
    const before: State = customers.get(line.customer_id) ?? { active: false, annual: 0, paid: false };
    const active = line.kind === 'moved' ? before.active : line.kind !== 'suspended';
    const annual = active && line.is_trial === 0 ? line.to_price_cents! * times[line.to_interval!] : 0;
    const plan = active ? line.to_plan_id! : undefined;
    customers.set(line.customer_id, { active, annual, paid: before.paid || annual > 0, plan });
    const first = before.paid ? 'reactivation' : 'new';
    const rest = before.annual < annual ? 'expansion' : 'contraction';
    const kind: (typeof kinds)[number] = before.annual === 0 ? first : annual === 0 ? 'churn' : rest;
    const change = Math.abs(annual - before.annual);
    return { day, customer: line.customer_id, isFirst, active, annual, kind, change, plan, before };
  });
  const endsAt = (last: string) =>
    new Map(lines.filter((line) => line.day <= last).map((line) => [line.customer, line]));
  return {
    state(last: string, plan?: number) {
      const active = [...endsAt(last).values()].filter(
        (line) => line.active && (plan === undefined || line.plan === plan),
      );
      const paying = active.filter(({ annual }) => annual > 0);
      const annual = paying.reduce((sum, line) => sum + line.annual, 0);
      return { annual, paying: paying.length, free: active.length - paying.length };
    },
    /**
     * Returns how many customers have their first line in the days, how many are active at the end of the last day, and what
     * they pay.
     */
    cohort(from: string, to: string, last: string) {
      const came = lines.filter((line) => line.isFirst && line.day >= from && line.day <= to);
      const ends = endsAt(last);
      const stayed = came.map(({ customer }) => ends.get(customer)!).filter(({ active }) => active);
      const annualCents = stayed.reduce((sum, { annual }) => sum + annual, 0);
      return { count: came.length, activeCount: stayed.length, annualCents };
    },
    movements(from: string, to: string, plan?: number) {
      const moved = lines
        .filter((line) => line.day >= from && line.day <= to)
        .map((line) => (plan === undefined ? line : seenFrom(plan, line)))
        .filter(({ change }) => change > 0);
      return Object.fromEntries(
        kinds.map((kind) => {
          const own = moved.filter((line) => line.kind === kind);
          return [kind, { annualCents: own.reduce((sum, { change }) => sum + change, 0), count: own.length }];
        }),
      );
    },
  };
}

interface RecountedLine {
  annual: number;
  kind: (typeof kinds)[number];
  change: number;
  plan: number | undefined;
  before: { annual: number; plan?: number | undefined };
}

/**
 * Returns a line as it affects one plan. Customers that come from another paid plan expand it; those that go to one contract
 * it.
 */
function seenFrom(planId: number, { annual, kind, change, plan, before }: RecountedLine) {
  const now = plan === planId ? annual : 0;
  const then = before.plan === planId ? before.annual : 0;
  const stays = change > 0 && ['new', 'churn', 'reactivation'].includes(kind);
  return { kind: stays ? kind : now > then ? 'expansion' : 'contraction', change: Math.abs(now - then) };
}
