import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { dumpRows } from '../../test/dump-rows.ts';
import { actor, addresses, makeAccount, makeCustomer, settings } from '../../test/factories.ts';
import { operator } from '../audit/record-audit-event.ts';
import type { Db } from '../db/database.ts';
import { RateLimited, ValidationError } from '../errors.ts';
import { retirePlan } from '../plans/change-plan.ts';
import { createPlan } from '../plans/plans.ts';
import { createCustomer, type PreparedCustomer } from './create-customer.ts';
import { type CreatedCustomer, createCustomers } from './create-customers.ts';

onEachDatabase('creating many customers', (open) => {
  /** Creates an account with plans that are free, paid, without pages and retired. */
  const start = async (db: Db) => {
    const { accountId, userId } = await makeAccount(db, 'acme');
    await makeCustomer(db, accountId, 'earlier');
    const plans = await db.transaction().execute(async (trx) => {
      const plan = { interval: 'month', isDefault: false };
      const paid = await createPlan(
        trx,
        accountId,
        { ...plan, name: 'Paid', price: '49', pages: 2, trialDays: 14 },
        operator,
      );
      const bare = await createPlan(trx, accountId, { ...plan, name: 'Bare', price: '5', pages: 1 }, operator);
      const retired = await createPlan(trx, accountId, { ...plan, name: 'Retired', price: '1' }, operator);
      await retirePlan(trx, accountId, retired, operator);
      return { paid, bare, retired };
    });
    return { accountId, by: actor(userId), plans };
  };
  const customer = (subdomain: string, more: Partial<PreparedCustomer> = {}): PreparedCustomer => ({
    accountName: `The "${subdomain}" <Shop>`,
    subdomain,
    userName: 'Ännie',
    userEmail: `Ann@${subdomain}.example`,
    passwordHash: null,
    withDefaultPages: true,
    ...more,
  });
  const settled = { ...settings, customersPerAddress: 2 };

  test('creating customers together writes the same rows as creating them one by one', async (t) => {
    const dumps = [];
    for (const isTogether of [false, true]) {
      const { db } = await open(t);
      const { accountId, by, plans } = await start(db);
      const customers = [
        customer('one'),
        customer('two', { planId: plans.paid, language: 'de' }),
        customer('three', { planId: plans.bare, userEmail: 'same@example.com' }),
        customer('four', { withDefaultPages: false, userEmail: 'SAME+tag@example.com' }),
        customer('five', { planId: plans.paid, language: 'fr-CA' }),
      ];
      if (isTogether) {
        await db.transaction().execute((trx) => createCustomers(trx, accountId, customers, settled, by));
      } else {
        for (const one of customers) {
          await db.transaction().execute((trx) => createCustomer(trx, accountId, one, settled, by));
        }
      }
      const dump = await dumpRows(db);
      const mail = dump.outbox as { is_bulk?: number }[];
      // Customers created together are mailed in bulk, after all other mail.
      assert.equal(mail.filter(({ is_bulk }) => is_bulk === 1).length, isTogether ? customers.length : 0);
      for (const message of mail) delete message.is_bulk;
      dumps.push(dump);
    }
    assert.equal(dumps[1]!.accounts!.length, 7);
    assert.deepEqual(dumps[1], dumps[0]);
  });

  test('customers that cannot be created are left out, for the same reasons as one by one', async (t) => {
    const all: CreatedCustomer[][] = [];
    for (const isTogether of [false, true]) {
      const { db } = await open(t);
      const { accountId, by, plans } = await start(db);
      const own = { ...settled, ...addresses, publicUrl: 'http://office.localhost:8080' };
      const customers = [
        customer('earlier'),
        customer('one', { userEmail: 'same@example.com' }),
        customer('one'),
        customer('office'),
        customer('two', { planId: plans.retired }),
        customer('three', { planId: 999_999 }),
        customer('four', { userEmail: 'same@example.com' }),
        customer('five', { userEmail: 's.ame@example.com' }),
        customer('six'),
      ];
      if (isTogether) {
        all.push(await db.transaction().execute((trx) => createCustomers(trx, accountId, customers, own, by)));
        continue;
      }
      const outcomes: CreatedCustomer[] = [];
      for (const one of customers) {
        const created = db.transaction().execute((trx) => createCustomer(trx, accountId, one, own, by));
        outcomes.push(await created.then((id) => ({ id }), failuresOf));
      }
      all.push(outcomes);
    }
    const [oneByOne, together] = all.map((outcomes) =>
      outcomes.map((outcome) =>
        'id' in outcome ? 'created' : outcome.failures.map(({ field, code }) => [field, code]),
      ),
    );
    assert.deepEqual(together, oneByOne);
    assert.deepEqual(together, [
      [['account_subdomain', 'taken']],
      'created',
      [['account_subdomain', 'taken']],
      [['account_subdomain', 'reserved']],
      [['plan', 'not_included']],
      [['plan', 'missing']],
      'created',
      [['user_email', 'mailed_too_often']],
      'created',
    ]);
  });

  /** Returns an error of one creation in the form that imports have for it. */
  function failuresOf(error: unknown): CreatedCustomer {
    if (error instanceof ValidationError) return { failures: error.fields };
    if (error instanceof RateLimited) {
      return { failures: [{ field: 'user_email', code: 'mailed_too_often', params: { seconds: error.retryAfter } }] };
    }
    const isMissing = error instanceof Error && 'code' in error && error.code === 'not_found';
    return { failures: [{ field: 'plan', code: isMissing ? 'missing' : 'not_included' }] };
  }
});
