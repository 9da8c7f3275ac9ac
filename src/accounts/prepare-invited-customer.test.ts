import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { actor, makeAccount, settings } from '../../test/factories.ts';
import { operator } from '../audit/record-audit-event.ts';
import { ValidationError } from '../errors.ts';
import { createPlan, listPlans } from '../plans/plans.ts';
import { findLink } from '../users/one-time-links.ts';
import { createCustomer } from './create-customer.ts';
import { prepareInvitedCustomer } from './prepare-invited-customer.ts';

const bakery = {
  accountName: ' Bakery ',
  subdomain: 'Bakery',
  userName: 'Ann Baker',
  userEmail: 'ann@bakery.example',
};

onEachDatabase('a customer without a password', (open) => {
  test('an invited customer is created with the chosen plan and language, and its user is mailed a link', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db, 'acme');
    const business = { name: 'Business', price: '49', interval: 'month', isDefault: false };
    const planId = await db.transaction().execute((trx) => createPlan(trx, accountId, business, operator));
    const customer = await prepareInvitedCustomer(db, accountId, { ...bakery, planId, language: 'DE' });
    const id = await db
      .transaction()
      .execute((trx) => createCustomer(trx, accountId, customer, settings, actor(userId)));
    const account = await db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    assert.deepEqual(
      [account.name, account.subdomain, account.plan_id, account.language],
      ['Bakery', 'bakery', planId, 'de'],
    );
    assert.deepEqual(
      (await listPlans(db, accountId)).map((plan) => [plan.name, plan.active_customers]),
      [
        ['Free', 0],
        ['Business', 1],
      ],
    );
    const user = await db.selectFrom('users').selectAll().where('account_id', '=', id).executeTakeFirstOrThrow();
    assert.deepEqual([user.name, user.role, user.password_hash], ['Ann Baker', 'owner', null]);
    const mail = await db.selectFrom('outbox').selectAll().where('account_id', '=', id).executeTakeFirstOrThrow();
    assert.equal((await findLink(db, mail.secret!, ['invitation'])).userId, user.id);
    const event = await db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'customer.created')
      .executeTakeFirstOrThrow();
    assert.deepEqual(
      [event.account_id, event.user_id, event.actor, JSON.parse(event.details)],
      [accountId, userId, 'Olivia Owner', { name: 'Bakery' }],
    );
  });

  test('an invalid customer is refused with every wrong field, and so is the plan of another account', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    const { accountId: other } = await makeAccount(db, 'other');
    const wrong = { ...bakery, subdomain: 'acme', userEmail: '', language: 'klingonese language' };
    await assert.rejects(prepareInvitedCustomer(db, accountId, wrong), (error) => {
      assert.ok(error instanceof ValidationError);
      assert.deepEqual(
        error.fields.map(({ field }) => field),
        ['account_subdomain', 'user_email', 'language'],
      );
      return true;
    });
    const [plan] = await listPlans(db, other);
    const stolen = { ...bakery, planId: plan!.id };
    await assert.rejects(prepareInvitedCustomer(db, accountId, stolen), { code: 'not_found' });
    const customer = { ...(await prepareInvitedCustomer(db, accountId, bakery)), planId: plan!.id };
    const create = db.transaction().execute((trx) => createCustomer(trx, accountId, customer, settings, operator));
    await assert.rejects(create, { code: 'not_found' });
  });

  test('an invited customer is created once when its form is sent twice', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    const customer = await prepareInvitedCustomer(db, accountId, bakery);
    const create = () =>
      db.transaction().execute((trx) => createCustomer(trx, accountId, customer, settings, operator));
    const results = await Promise.allSettled([create(), create()]);
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const { length } = await db.selectFrom('outbox').selectAll().execute();
    assert.equal(length, 1);
  });
});
