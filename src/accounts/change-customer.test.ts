import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { actor, makeAccount, makeCustomer } from '../../test/factories.ts';
import { type Actor, operator } from '../audit/record-audit-event.ts';
import { createPlan } from '../plans/plans.ts';
import { changePlan, restoreCustomer, suspendCustomer } from './change-customer.ts';
import { deleteAccount } from './delete-account.ts';

onEachDatabase('changes of customers', (open) => {
  test("the seller's log of a customer's changes names the actor, the customer's log only the seller", async (t) => {
    const { db } = await open(t);
    const { accountId: seller, userId } = await makeAccount(db, 'acme');
    const customer = await makeCustomer(db, seller, 'bakery');
    const events = async (accountId: number) => {
      const log = db.selectFrom('audit_log').selectAll().where('account_id', '=', accountId).orderBy('id');
      return (await log.execute())
        .slice(-2)
        .map(({ action, subject, actor, ip, details }) => [action, subject, actor, ip, JSON.parse(details)]);
    };
    const olivia = actor(userId);
    const change = (by: Actor) =>
      db.transaction().execute(async (trx) => {
        const plan = { name: `Plan of ${by.name}`, price: '9', interval: 'month', isDefault: false };
        const planId = await createPlan(trx, seller, plan, by);
        await changePlan(trx, seller, { customerId: customer, planId }, by);
        // Repeated changes record nothing.
        await changePlan(trx, seller, { customerId: customer, planId }, by);
        await suspendCustomer(trx, seller, customer, by);
        await suspendCustomer(trx, seller, customer, by);
      });

    await change(olivia);
    const name = 'Customer bakery';
    const moved = { name, from: 'Free', to: 'Plan of Olivia Owner' };
    assert.deepEqual(await events(seller), [
      ['customer.plan_changed', `customer_${customer}`, olivia.name, olivia.ip, moved],
      ['customer.suspended', `customer_${customer}`, olivia.name, olivia.ip, { name }],
    ]);
    assert.deepEqual(await events(customer), [
      ['account.plan_changed', `account_${customer}`, 'Account acme', null, moved],
      ['account.suspended', `account_${customer}`, 'Account acme', null, { name }],
    ]);
    const ledger = await db.selectFrom('plan_changes').select(['kind', 'actor']).orderBy('id').execute();
    assert.deepEqual(
      ledger.slice(1).map(({ kind, actor }) => [kind, actor]),
      [
        ['moved', `user_${userId}`],
        ['suspended', `user_${userId}`],
      ],
    );

    await db.transaction().execute((trx) => restoreCustomer(trx, seller, customer, operator));
    await change(operator);
    assert.deepEqual((await events(customer))[1], [
      'account.suspended',
      `account_${customer}`,
      operator.name,
      null,
      { name },
    ]);

    // The customer's own log is deleted with it.
    await db.transaction().execute((trx) => deleteAccount(trx, customer, { releaseSubdomain: true }, operator));
    assert.deepEqual((await events(seller)).at(-1), [
      'customer.deleted',
      `customer_${customer}`,
      operator.name,
      null,
      { name },
    ]);
  });
});
