import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { actor, makeAccount, makeCustomer } from '../../test/factories.ts';
import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { createPlan } from '../plans/plans.ts';
import { changeCurrency } from './change-currency.ts';
import { changePlan } from './change-customer.ts';

onEachDatabase('the currency of an account', (open) => {
  test('the currency of an account can be changed until a customer is on a plan with a price', async (t) => {
    const { db } = await open(t);
    const { accountId: seller, userId } = await makeAccount(db);
    const by = actor(userId);
    const commit = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);
    const choose = (code: string) => commit((trx) => changeCurrency(trx, seller, code, by));
    const stored = async () =>
      (await db.selectFrom('accounts').select('currency').where('id', '=', seller).executeTakeFirstOrThrow()).currency;
    for (const wrong of ['', 'Euro', 'XYZ']) await assert.rejects(choose(wrong), ValidationError);
    assert.equal(await stored(), null);
    assert.equal(await choose(' eur '), 'EUR');
    await choose('CHF');
    const customerId = await makeCustomer(db, seller);
    await choose('EUR');
    const plan = { name: 'Business', price: '49', interval: 'month', isDefault: false };
    const planId = await commit((trx) => createPlan(trx, seller, plan, by));
    await commit((trx) => changePlan(trx, seller, { customerId, planId }, by));
    await choose('EUR');
    await assert.rejects(choose('USD'), { code: 'conflict' });
    assert.equal(await stored(), 'EUR');
    const log = db.selectFrom('audit_log').select('details').where('action', '=', 'currency.changed').orderBy('id');
    assert.deepEqual(
      (await log.execute()).map(({ details }) => JSON.parse(details).to),
      ['EUR', 'CHF', 'EUR'],
    );
  });
});
