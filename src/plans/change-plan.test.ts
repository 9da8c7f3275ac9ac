import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { actor, makeAccount, makeCustomer } from '../../test/factories.ts';
import { changePlan, restoreCustomer, suspendCustomer } from '../accounts/change-customer.ts';
import type { Db, Trx } from '../db/database.ts';
import { AppError, ValidationError } from '../errors.ts';
import { Refusal } from '../refusal.ts';
import { makePlanDefault, restorePlan, retirePlan, updatePlan } from './change-plan.ts';
import { countNewCustomerOn, createPlan, listPlans } from './plans.ts';

onEachDatabase('changes of plans', (open) => {
  test('changes of a plan are recorded in the audit log, and raise the customers version', async (t) => {
    const { db } = await open(t);
    const { seller, by, planId, run } = await sellerOf(db);
    const [free] = await listPlans(db, seller);
    for (const change of [
      (trx: Trx) => updatePlan(trx, seller, { planId, name: ' Studio ' }, by),
      (trx: Trx) => makePlanDefault(trx, seller, planId, by),
      (trx: Trx) => retirePlan(trx, seller, free!.id, by),
      (trx: Trx) => restorePlan(trx, seller, free!.id, by),
    ]) {
      const before = await customersVersion(db, seller);
      await run(async (trx) => void (await change(trx)));
      assert.ok((await customersVersion(db, seller)) > before);
    }

    const log = await db.selectFrom('audit_log').selectAll().where('account_id', '=', seller).orderBy('id').execute();
    assert.deepEqual(
      log.slice(-4).map(({ action, subject, actor, details }) => [action, subject, actor, JSON.parse(details)]),
      [
        ['plan.renamed', `plan_${planId}`, by.name, { from: 'Business', name: 'Studio' }],
        ['plan.made_default', `plan_${planId}`, by.name, { name: 'Studio' }],
        ['plan.retired', `plan_${free!.id}`, by.name, { name: 'Free' }],
        ['plan.restored', `plan_${free!.id}`, by.name, { name: 'Free' }],
      ],
    );
    assert.deepEqual(
      (await listPlans(db, seller)).map(({ name, is_default, retired_at }) => [name, is_default, retired_at]),
      [
        ['Free', 0, null],
        ['Studio', 1, null],
      ],
    );
  });

  test('a change that alters nothing is not recorded', async (t) => {
    const { db } = await open(t);
    const { seller, by, planId, run } = await sellerOf(db);
    await run((trx) => retirePlan(trx, seller, planId, by));
    const [retired] = (await listPlans(db, seller)).slice(1);
    const events = () => db.selectFrom('audit_log').select('id').execute();
    const { length } = await events();
    await run((trx) => retirePlan(trx, seller, planId, by));
    await run((trx) => updatePlan(trx, seller, { planId, name: 'Business' }, by));
    assert.deepEqual((await listPlans(db, seller))[1], retired);
    assert.equal((await events()).length, length);
  });

  test('the default plan cannot be retired, and a retired plan cannot become the default', async (t) => {
    const { db } = await open(t);
    const { seller, by, planId, run } = await sellerOf(db);
    const [free] = await listPlans(db, seller);
    const isConflict = (error: unknown) => error instanceof AppError && error.code === 'conflict';
    await assert.rejects(
      run((trx) => retirePlan(trx, seller, free!.id, by)),
      isConflict,
    );
    await run((trx) => retirePlan(trx, seller, planId, by));
    await assert.rejects(
      run((trx) => makePlanDefault(trx, seller, planId, by)),
      isConflict,
    );
    // If both happen at once, the second change sees the first one.
    await run((trx) => restorePlan(trx, seller, planId, by));
    const results = await Promise.allSettled([
      run((trx) => retirePlan(trx, seller, planId, by)),
      run((trx) => makePlanDefault(trx, seller, planId, by)),
    ]);
    assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    const plans = await listPlans(db, seller);
    assert.deepEqual(
      plans.filter(({ is_default }) => is_default).map(({ retired_at }) => retired_at),
      [null],
    );
  });

  test('no customer can be put on a retired plan, and its customers stay on it', async (t) => {
    const { db } = await open(t);
    const { seller, by, planId, run } = await sellerOf(db);
    const stays = await makeCustomer(db, seller, 'stays');
    const customerId = await makeCustomer(db, seller, 'bakery');
    await run((trx) => changePlan(trx, seller, { customerId: stays, planId }, by));
    await run((trx) => retirePlan(trx, seller, planId, by));
    const isConflict = (error: unknown) => error instanceof AppError && error.code === 'conflict';
    await assert.rejects(
      run((trx) => changePlan(trx, seller, { customerId, planId }, by)),
      isConflict,
    );
    await assert.rejects(
      run((trx) => countNewCustomerOn(trx, seller, planId)),
      isConflict,
    );
    // A customer stays on the plan while it is suspended and afterwards.
    await run((trx) => suspendCustomer(trx, seller, stays, by));
    await run((trx) => restoreCustomer(trx, seller, stays, by));
    await run((trx) => changePlan(trx, seller, { customerId: stays, planId }, by));
    assert.deepEqual(
      (await listPlans(db, seller)).map(({ active_customers }) => active_customers),
      [1, 1],
    );
  });

  test('a plan cannot get an empty or used name, and another account’s plan cannot be changed', async (t) => {
    const { db } = await open(t);
    const { seller, by, planId, run } = await sellerOf(db);
    for (const [name, code] of [
      [' ', 'blank'],
      ['Free', 'taken'],
    ] as const) {
      await assert.rejects(
        run((trx) => updatePlan(trx, seller, { planId, name }, by)),
        (error) => error instanceof ValidationError && error.fields[0]!.code === code,
      );
    }
    const other = await makeAccount(db, 'other');
    for (const change of [retirePlan, restorePlan, makePlanDefault]) {
      await assert.rejects(
        run((trx) => change(trx, other.accountId, planId, by)),
        (error) => error instanceof AppError && error.code === 'not_found',
      );
    }
  });
});

onEachDatabase('number of plans', (open) => {
  test('an account can have at most 1,000 plans, including retired ones', async (t) => {
    const { db } = await open(t);
    const { seller, by, planId, run } = await sellerOf(db);
    const plan = { account_id: seller, price_cents: 0, interval: 'month', is_default: 0, created_at: 1 } as const;
    // The account already has two plans.
    const rows = Array.from({ length: 997 }, (_, index) => ({ ...plan, name: `Plan ${index}`, retired_at: 1 }));
    await run((trx) => trx.insertInto('plans').values(rows).execute());
    const create = (accountId: number, name: string, who = by) =>
      run((trx) => createPlan(trx, accountId, { name, price: '1', interval: 'month', isDefault: true }, who));
    await create(seller, 'The last one');
    const isRefused = (error: unknown) =>
      error instanceof Refusal && error.code === 'conflict' && error.why.reason === 'too_many_plans';
    await assert.rejects(create(seller, 'One more'), isRefused);
    assert.equal((await listPlans(db, seller)).length, 1000);
    await run((trx) => restorePlan(trx, seller, planId, by));
    const other = await makeAccount(db, 'other');
    await create(other.accountId, 'One more', actor(other.userId));
  });
});

async function sellerOf(db: Db) {
  const { accountId: seller, userId } = await makeAccount(db, 'acme');
  const by = actor(userId);
  const run = <T>(verb: (trx: Trx) => Promise<T>) => db.transaction().execute(verb);
  const business = { name: 'Business', price: '49', interval: 'month', isDefault: false };
  return { seller, by, run, planId: await run((trx) => createPlan(trx, seller, business, by)) };
}

async function customersVersion(db: Db, accountId: number): Promise<number> {
  const account = db.selectFrom('accounts').select('customers_version').where('id', '=', accountId);
  return (await account.executeTakeFirstOrThrow()).customers_version;
}
