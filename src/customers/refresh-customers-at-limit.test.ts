import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { actor, makeAccount, makeCustomer, makePage } from '../../test/factories.ts';
import { changePlan } from '../accounts/change-customer.ts';
import type { Trx } from '../db/database.ts';
import { listAttention } from '../overview/list-attention.ts';
import { updatePlan } from '../plans/change-plan.ts';
import { createPlan } from '../plans/plans.ts';
import { listCustomers } from './list-customers.ts';
import { refreshCustomersAtLimit } from './refresh-customers-at-limit.ts';

onEachDatabase('customers at a limit of their plan', (open) => {
  test('customers that reach a limit of their plan are recorded, and cleared when they fall below it', async (t) => {
    const { db } = await open(t);
    const { accountId: seller, userId } = await makeAccount(db);
    const by = actor(userId);
    const commit = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);
    const small = { name: 'Small', price: '9', interval: 'month', isDefault: false, pages: 2 };
    const planId = await commit((trx) => createPlan(trx, seller, small, by));
    const ids: number[] = [];
    for (const pages of [1, 2, 2]) {
      const id = await makeCustomer(db, seller);
      const user = db.selectFrom('users').select('id').where('account_id', '=', id);
      const { id: owner } = await user.executeTakeFirstOrThrow();
      for (let page = 0; page < pages; page++) await makePage(db, id, { userId: owner });
      if (ids.length < 2) await commit((trx) => changePlan(trx, seller, { customerId: id, planId }, by));
      ids.push(id);
    }
    const found = async () => {
      await refreshCustomersAtLimit(db);
      const filter = { isAtLimit: true };
      const { customers } = await listCustomers(db, seller, { filter, sort: 'oldest', limit: 10 });
      const attention = await listAttention(db, seller, { createdBefore: 0, withOwn: false });
      assert.equal(attention.find(({ kind }) => kind === 'at_limit')?.count ?? 0, customers.length);
      return customers.map(({ id }) => id);
    };
    assert.deepEqual(await found(), [ids[1]]);
    assert.deepEqual(await found(), [ids[1]]);
    await commit((trx) => updatePlan(trx, seller, { planId, people: 1 }, by));
    assert.deepEqual(await found(), [ids[0], ids[1]]);
    await commit((trx) => updatePlan(trx, seller, { planId, people: null, pages: 3 }, by));
    assert.deepEqual(await found(), []);
    const events = await db
      .selectFrom('audit_log')
      .select(['account_id', 'action', 'subject', 'actor', 'details'])
      .where('action', 'like', '%.limit_reached')
      .orderBy('id')
      .execute();
    const [name] = events.map(({ details }) => JSON.parse(details).name);
    const expected = [ids[1]!, ids[0]!].flatMap((id, index) => {
      const limits = index === 0 ? ['pages'] : ['people'];
      return [
        [seller, 'customer.limit_reached', `customer_${id}`, { plan: 'Small', limits }],
        [id, 'plan.limit_reached', `plan_${planId}`, { limits }],
      ];
    });
    assert.deepEqual(
      events.map(({ account_id, action, subject, actor, details }) => {
        const { name: _, ...rest } = JSON.parse(details);
        assert.equal(actor, 'service');
        return [account_id, action, subject, rest];
      }),
      expected,
    );
    assert.ok(name.length > 0);
  });
});
