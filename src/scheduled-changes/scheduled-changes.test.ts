import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { onEachDatabase } from '../../test/databases.ts';
import { actor, makeAccount, makeCustomer, unique } from '../../test/factories.ts';
import { changePlan, suspendCustomer } from '../accounts/change-customer.ts';
import { deleteCustomer } from '../accounts/delete-customer.ts';
import { listCustomers } from '../customers/list-customers.ts';
import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { listAttention } from '../overview/list-attention.ts';
import { retirePlan, updatePlan } from '../plans/change-plan.ts';
import { createPlan } from '../plans/plans.ts';
import { Refusal } from '../refusal.ts';
import { createUser } from '../users/create-user.ts';
import { makeDueChanges } from './make-due-changes.ts';
import { cancelScheduledChange, restoreScheduledChange, schedulePlanChange } from './schedule-plan-change.ts';
import { findScheduledChange, listScheduledChanges } from './scheduled-change.ts';

const DAY = '2026-03-10';
const BEFORE_DAY = Date.parse('2026-03-09T10:59:59Z');
/** The moment at which the day begins in Auckland. */
const DAY_BEGINS = Date.parse('2026-03-09T11:00:00Z');

onEachDatabase('scheduled plan changes', (open) => {
  async function start(t: Parameters<typeof open>[0], now = Date.parse('2026-03-01T12:00:00Z')) {
    const { db } = await open(t);
    t.mock.timers.enable({ apis: ['Date'], now });
    const { accountId: seller, userId } = await makeAccount(db);
    const by = actor(userId);
    const commit = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);
    await commit((trx) =>
      trx.updateTable('accounts').set({ time_zone: 'Pacific/Auckland' }).where('id', '=', seller).execute(),
    );
    const addPlan = (price = '49') =>
      commit((trx) =>
        createPlan(trx, seller, { name: unique('Plan'), price, interval: 'month', isDefault: false }, by),
      );
    const customerId = await makeCustomer(db, seller);
    const planId = await addPlan();
    const schedule = (input: { planId?: number; customerId?: number; day?: string; seenId?: number | null } = {}) =>
      commit((trx) => schedulePlanChange(trx, seller, { customerId, planId, day: DAY, ...input }, by));
    const find = async (id = customerId) => (await findScheduledChange(db, seller, id))!;
    const ledger = async () =>
      db.selectFrom('plan_changes').select(['kind', 'to_plan_id', 'created_at']).orderBy('id').execute();
    const setClock = (at: number) => t.mock.timers.setTime(at);
    return { db, seller, by, commit, addPlan, customerId, planId, schedule, find, ledger, setClock };
  }
  const isRefusal = (reason: string) => (error: unknown) => error instanceof Refusal && error.why.reason === reason;

  test("a change is made once when its day begins in the seller's time zone, even if the clock is set back", async (t) => {
    const { db, seller, customerId, planId, schedule, find, ledger, setClock } = await start(t);
    await schedule();
    setClock(BEFORE_DAY);
    assert.equal(await makeDueChanges(db), 0);
    setClock(DAY_BEGINS);
    // The calls run at once, like those of several processes.
    const made = await Promise.all([makeDueChanges(db), makeDueChanges(db), makeDueChanges(db)]);
    assert.equal(
      made.reduce((sum, count) => sum + count),
      1,
    );
    assert.equal(await find(), undefined);
    setClock(BEFORE_DAY);
    assert.equal(await makeDueChanges(db), 0);
    setClock(DAY_BEGINS);
    assert.equal(await makeDueChanges(db), 0);
    const lines = (await ledger()).map(({ kind, to_plan_id, created_at }) => [kind, to_plan_id, created_at]);
    assert.deepEqual(lines.slice(1), [['moved', planId, DAY_BEGINS]]);
    for (const [accountId, action, by] of [
      [seller, 'customer.plan_changed', 'service'],
      [customerId, 'account.plan_changed', (await sellerName(db, seller))!],
    ] as const) {
      const log = db.selectFrom('audit_log').select(['action', 'actor']).where('account_id', '=', accountId);
      assert.deepEqual({ ...(await log.orderBy('id', 'desc').executeTakeFirst()) }, { action, actor: by });
    }
  });

  test('a scheduled plan change whose transaction failed is made by a later run, once', async (t) => {
    const { db, planId, schedule, find, ledger, setClock } = await start(t);
    await schedule();
    setClock(DAY_BEGINS);
    const crashing: KyselyPlugin = {
      transformQuery: ({ node }) => {
        if (node.kind === 'DeleteQueryNode') throw new Error('crash');
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    await assert.rejects(makeDueChanges(db.withPlugin(crashing) as typeof db), /crash/);
    assert.deepEqual([(await ledger()).length, (await find()).failure], [1, null]);
    assert.equal(await makeDueChanges(db), 1);
    assert.deepEqual(
      (await ledger()).slice(1).map(({ to_plan_id }) => to_plan_id),
      [planId],
    );
  });

  test('the changes of many customers take as many statements as those of a few', async (t) => {
    const { db, seller, by, commit, addPlan, schedule, setClock } = await start(t);
    const counts: number[] = [];
    for (const customers of [1, 2, 40]) {
      setClock(BEFORE_DAY);
      const planId = await addPlan();
      await commit((trx) => updatePlan(trx, seller, { planId, pages: 9, people: 9 }, by));
      for (let count = 0; count < customers; count++) {
        await schedule({ customerId: await makeCustomer(db, seller), planId });
      }
      setClock(DAY_BEGINS);
      let statements = 0;
      const counting: KyselyPlugin = {
        transformQuery: ({ node }) => {
          statements += 1;
          return node;
        },
        transformResult: async ({ result }) => result,
      };
      assert.equal(await makeDueChanges(db.withPlugin(counting) as typeof db), customers);
      counts.push(statements);
    }
    // The first run also prepares statements.
    assert.equal(counts[1], counts[2]);
  });

  test('a failed change stays with its reason, on the overview and in the list of customers', async (t) => {
    const { db, seller, by, commit, addPlan, schedule, find, ledger, setClock } = await start(t);
    const small = await addPlan('5');
    const retired = await addPlan('7');
    const make = () => makeCustomer(db, seller);
    const ids = { deleted: await make(), suspended: await make(), retired: await make(), grown: await make() };
    const known = await make();
    const invite = (id: number) =>
      commit((trx) => createUser(trx, id, { ...newcomer, email: `${unique('b')}@example.com` }));
    await invite(known);
    await commit((trx) => updatePlan(trx, seller, { planId: small, people: 1 }, by));
    for (const id of [ids.deleted, ids.suspended, ids.grown, known]) await schedule({ customerId: id, planId: small });
    await schedule({ customerId: ids.retired, planId: retired });
    await commit((trx) => deleteCustomer(trx, seller, ids.deleted, by));
    await commit((trx) => suspendCustomer(trx, seller, ids.suspended, by));
    await commit((trx) => retirePlan(trx, seller, retired, by));
    await invite(ids.grown);
    const lines = (await ledger()).length;

    setClock(DAY_BEGINS);
    await makeDueChanges(db);
    assert.equal(await makeDueChanges(db), 0);
    const reasons = {
      deleted: 'customer_deleted',
      suspended: 'customer_suspended',
      retired: 'plan_retired',
      grown: 'over_limits',
    } as const;
    for (const [name, reason] of Object.entries(reasons)) {
      assert.equal((await find(ids[name as keyof typeof ids])).failure, reason, name);
    }
    // The seller was told that this customer exceeds the plan's limits.
    assert.equal(await find(known), undefined);
    assert.deepEqual(
      (await ledger()).slice(lines).map(({ to_plan_id }) => to_plan_id),
      [small],
    );
    const attention = await listAttention(db, seller, { createdBefore: 0, withOwn: false });
    const failed = attention.find(({ kind }) => kind === 'changes_failed')!;
    assert.deepEqual([failed.count, failed.first.map(({ id }) => id)], [4, [ids.deleted, ids.suspended, ids.grown]]);
    const filter = { scheduled: 'failed' } as const;
    const { customers } = await listCustomers(db, seller, { filter, sort: 'oldest', limit: 10 });
    assert.deepEqual(
      customers.map(({ id, scheduled }) => [id, scheduled?.failure]),
      [
        [ids.suspended, 'customer_suspended'],
        [ids.retired, 'plan_retired'],
        [ids.grown, 'over_limits'],
      ],
    );
    // A new change replaces the failed one.
    await schedule({ customerId: ids.grown, planId: await addPlan(), day: '2026-03-20' });
    assert.equal((await find(ids.grown)).failure, null);
  });

  test('a change can be replaced, cancelled and restored, unless another user has changed it since', async (t) => {
    const { db, seller, by, commit, addPlan, customerId, planId, schedule, find, setClock } = await start(t);
    await schedule({ seenId: null });
    const first = await find();
    // A user who schedules the same change succeeds; one who schedules a different change is told.
    await schedule({ seenId: null });
    const other = await addPlan('9');
    await assert.rejects(schedule({ planId: other, seenId: null }), isRefusal('schedule_changed'));
    await schedule({ planId: other, day: '2026-04-01', seenId: first.id });
    const second = await find();
    assert.deepEqual([second.plan.id, second.day], [other, '2026-04-01']);
    const cancel = (seenId?: number) => commit((trx) => cancelScheduledChange(trx, seller, { customerId, seenId }, by));
    const restore = (scheduledId: number, seenId: number | null) =>
      commit((trx) => restoreScheduledChange(trx, seller, { customerId, scheduledId, seenId }, by));
    await assert.rejects(cancel(999_999), isRefusal('schedule_changed'));
    await restore(first.id, second.id);
    assert.deepEqual(await find(), first);
    await cancel(first.id);
    await cancel(first.id);
    assert.deepEqual(await listScheduledChanges(db, seller, { limit: 9 }), []);
    await assert.rejects(cancel(), { code: 'not_found' });
    await restore(first.id, null);
    assert.deepEqual(await find(), first);
    await cancel(first.id);
    setClock(Date.now() + 11 * 60_000);
    await assert.rejects(restore(first.id, null), isRefusal('removed_too_long_ago'));
    const { accountId: stranger } = await makeAccount(db);
    await assert.rejects(
      commit((trx) => schedulePlanChange(trx, stranger, { customerId, planId, day: DAY }, by)),
      { code: 'not_found' },
    );
  });

  test('a change is refused for a day that is not after today, for the current plan and for a retired plan', async (t) => {
    const { seller, by, commit, addPlan, customerId, planId, schedule } = await start(t, BEFORE_DAY);
    for (const day of ['2026-03-09', '2026-02-30', 'soon']) await assert.rejects(schedule({ day }), ValidationError);
    await schedule();
    await commit((trx) => changePlan(trx, seller, { customerId, planId }, by));
    await assert.rejects(schedule({ day: '2026-04-01' }), isRefusal('customer_on_plan'));
    const retired = await addPlan();
    await commit((trx) => retirePlan(trx, seller, retired, by));
    await assert.rejects(schedule({ planId: retired }), isRefusal('plan_retired'));
  });
});

const newcomer = { name: 'Bob', role: 'editor', passwordHash: null } as const;

async function sellerName(db: Parameters<typeof makeDueChanges>[0], id: number): Promise<string | undefined> {
  return (await db.selectFrom('accounts').select('name').where('id', '=', id).executeTakeFirst())?.name;
}
