import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../../test/factories.ts';
import { signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';
import { operator } from '../../audit/record-audit-event.ts';
import { createPlan } from '../../plans/plans.ts';

onEachDatabase('changes of many customers at once', (open) => {
  async function start(t: Parameters<typeof open>[0]) {
    const started = await startWithAccount(t, open);
    const { service, db, accountId } = started;
    const person = await signedInAs(service, db, accountId, 'admin');
    const ids = [
      await makeCustomer(db, accountId),
      await makeCustomer(db, accountId),
      await makeCustomer(db, accountId),
    ];
    const send = (changes: object[]) => person.post('customers/changes', { changes });
    const states = async () => {
      const { customers } = (await person.get('customers?sort=oldest')).json;
      return customers.map((customer: Record<string, unknown>) => [
        customer.id,
        customer.planId,
        customer.suspensionReason,
        customer.status,
      ]);
    };
    return { ...started, person, ids, send, states };
  }

  test('a refused change among several does not affect the others, which can be undone', async (t) => {
    const { db, accountId, ids, send, states } = await start(t);
    const before = await states();
    await makeCustomer(db, ids[1]!);
    const { status, json } = await send(ids.map((id) => ({ kind: 'delete', id })));
    assert.equal(status, 200);
    const [first, second, third] = json.results;
    assert.deepEqual([first.id, first.before.deletesAt, third.id], [ids[0], null, ids[2]]);
    assert.ok(first.now.deletesAt > Date.now());
    assert.deepEqual(second, { id: ids[1], code: 'conflict', why: { reason: 'customer_has_customers' } });
    assert.deepEqual(
      (await states()).map(([id]: [number]) => id),
      [ids[1]],
    );
    await send([first, third].map(({ id }) => ({ kind: 'undelete', id })));
    assert.deepEqual(await states(), before);
    const ledger = await db
      .selectFrom('plan_changes')
      .select('kind')
      .where('account_id', '=', accountId)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      ledger.map(({ kind }) => kind),
      ['created', 'created', 'created', 'suspended', 'suspended', 'restored', 'restored'],
    );
  });

  test('customers are moved to a plan and back, and suspended and restored, unless their plan has changed', async (t) => {
    const { db, accountId, ids, send, states } = await start(t);
    const before = await states();
    const freePlan = before[0][1];
    const planId = await db.transaction().execute((trx) => {
      const plan = { name: 'Business', price: '49', interval: 'month', isDefault: false };
      return createPlan(trx, accountId, plan, operator);
    });
    const seen = [freePlan, 999_999, freePlan];
    const moved = await send(ids.map((id, index) => ({ kind: 'plan', id, planId, seenPlanId: seen[index] })));
    assert.deepEqual(moved.json.results[1].why.reason, 'customer_on_other_plan');
    await send(ids.map((id) => ({ kind: 'suspend', id, reason: 'Because' })));
    const suspended = [planId, freePlan, planId].map((plan, index) => [ids[index], plan, 'Because', 'suspended']);
    assert.deepEqual(await states(), suspended);
    await send(ids.map((id) => ({ kind: 'restore', id, seenReason: 'Because' })));
    await send([ids[0], ids[2]].map((id) => ({ kind: 'plan', id, planId: freePlan, seenPlanId: planId })));
    assert.deepEqual(await states(), before);
  });

  test('customers of other accounts are not found; unknown, incomplete or more than 100 changes are malformed', async (t) => {
    const { db, ids, send } = await start(t);
    const { accountId: other } = await makeAccount(db);
    const foreign = await makeCustomer(db, other);
    const { json } = await send([
      { kind: 'suspend', id: foreign, reason: '' },
      { kind: 'suspend', id: ids[0], reason: '' },
    ]);
    assert.deepEqual(json.results[0], { id: foreign, code: 'not_found', why: null });
    assert.equal(json.results[1].now.status, 'suspended');
    const wrong = [
      Array(101).fill({ kind: 'delete', id: ids[1] }),
      [{ kind: 'close', id: ids[1] }],
      [{ kind: 'suspend', id: ids[1] }],
      'all',
    ];
    for (const changes of wrong) assert.equal((await send(changes as object[])).status, 400, JSON.stringify(changes));
  });
});
