import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { actor, makeAccount, makeCustomer, settings } from '../../test/factories.ts';
import { suspendCustomer } from '../accounts/change-customer.ts';
import { deleteCustomer } from '../accounts/delete-customer.ts';
import { operator } from '../audit/record-audit-event.ts';
import type { Db } from '../db/database.ts';
import { RateLimited, ValidationError } from '../errors.ts';
import { Refusal } from '../refusal.ts';
import { createUser } from '../users/create-user.ts';
import { findLink } from '../users/one-time-links.ts';
import { startSession } from '../users/sessions.ts';
import { setPassword } from '../users/set-password.ts';
import { getCustomerDetails } from './get-customer-details.ts';
import { resendLoginInstructions } from './resend-login-instructions.ts';

async function makeSeller(db: Db) {
  const { accountId: seller, userId } = await makeAccount(db, 'acme');
  const customerId = await makeCustomer(db, seller, 'bakery');
  const resend = (email?: string, { by = seller, perDay = 0 } = {}) =>
    db.transaction().execute((trx) => {
      const limited = { ...settings, customersPerAddress: perDay };
      return resendLoginInstructions(trx, by, { customerId, email }, actor(userId), limited);
    });
  const messages = () =>
    db.selectFrom('outbox').selectAll().where('account_id', '=', customerId).orderBy('id').execute();
  const { id: carl } = await db
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', customerId)
    .executeTakeFirstOrThrow();
  return { seller, customerId, resend, messages, carl };
}

onEachDatabase('login instructions', (open) => {
  test('login instructions sent again go to the corrected address, and void all earlier links', async (t) => {
    const { db } = await open(t);
    const { seller, customerId, resend, messages } = await makeSeller(db);
    assert.equal(await resend(' carla@example.com '), 'carla@example.com');
    const [first, second, ...more] = await messages();
    assert.deepEqual(more, []);
    assert.deepEqual([second!.to_email, second!.subject], ['carla@example.com', first!.subject]);
    await assert.rejects(findLink(db, first!.secret!, ['invitation']), { code: 'not_found' });
    assert.equal((await findLink(db, second!.secret!, ['invitation'])).email, 'carla@example.com');

    const log = await db.selectFrom('audit_log').selectAll().where('action', 'like', '%.instructions_sent').execute();
    const details = { name: 'Customer bakery', email: 'carla@example.com' };
    assert.deepEqual(
      log.map(({ account_id, action, actor, ip, details }) => [account_id, action, actor, ip, JSON.parse(details)]),
      [
        [seller, 'customer.instructions_sent', 'Olivia Owner', '192.0.2.1', details],
        [customerId, 'account.instructions_sent', 'Account acme', null, details],
      ],
    );
  });

  test('login instructions cannot be sent again to a deleted customer', async (t) => {
    const { db } = await open(t);
    const { seller, customerId, resend, messages } = await makeSeller(db);
    await db.transaction().execute((trx) => deleteCustomer(trx, seller, customerId, operator));
    const before = (await messages()).length;
    await assert.rejects(resend(), new Refusal('conflict', { reason: 'customer_deleted' }));
    assert.equal((await messages()).length, before);
  });

  test('login instructions cannot be sent again to the customer of another seller', async (t) => {
    const { db } = await open(t);
    const { customerId, resend, messages } = await makeSeller(db);
    const { accountId: other } = await makeAccount(db, 'other');
    await assert.rejects(resend('thief@example.com', { by: other }), { code: 'not_found' });
    assert.equal((await messages()).length, 1);
    await assert.rejects(
      db.transaction().execute((trx) => getCustomerDetails(trx, other, customerId)),
      { code: 'not_found' },
    );
  });

  test('login instructions go to a corrected address only until the user has signed in', async (t) => {
    const { db } = await open(t);
    const { customerId, resend, carl } = await makeSeller(db);
    const clientInfo = { ip: '192.0.2.1', network: '192.0.2.1', userAgent: '' };
    await db.transaction().execute((trx) => startSession(trx, customerId, { userId: carl, clientInfo }));
    const refused = (reason: string) => (error: unknown) => error instanceof Refusal && error.why.reason === reason;
    await assert.rejects(resend('thief@example.com'), refused('address_in_use'));
    // Old sessions and audit events are deleted.
    await db.transaction().execute((trx) => trx.deleteFrom('sessions').where('account_id', '=', customerId).execute());
    await assert.rejects(resend('thief@example.com'), refused('address_in_use'));
    assert.equal(await resend(), 'carl@example.com');

    await db
      .transaction()
      .execute((trx) => setPassword(trx, customerId, carl, { passwordHash: 'hash', byMailedLink: true }));
    await assert.rejects(resend(), refused('invitation_accepted'));
  });

  test('login instructions to an invalid, taken or too often mailed address are refused without a change', async (t) => {
    const { db } = await open(t);
    const { customerId, resend, messages } = await makeSeller(db);
    const colleague = { name: 'Bob', email: 'bob@example.com', role: 'editor', passwordHash: null } as const;
    await db.transaction().execute((trx) => createUser(trx, customerId, colleague));
    await assert.rejects(resend('nowhere'), ValidationError);
    await assert.rejects(resend('BOB@example.com'), ValidationError);
    assert.equal(await resend('carla@example.com', { perDay: 1 }), 'carla@example.com');
    await assert.rejects(resend('carla@example.com', { perDay: 1 }), RateLimited);
    const sent = await messages();
    assert.equal(sent.length, 2);
    assert.equal((await findLink(db, sent[1]!.secret!, ['invitation'])).email, 'carla@example.com');
  });

  test('the details of a customer show its plans, people, mail and domains', async (t) => {
    const { db } = await open(t);
    const { seller, customerId } = await makeSeller(db);
    await db.transaction().execute((trx) => suspendCustomer(trx, seller, customerId, operator));
    const last_error = '550 no such user';
    const failed = { status: 'failed', attempts: 3, last_error } as const;
    await db.transaction().execute((trx) => trx.updateTable('outbox').set(failed).execute());
    const customer = await db.transaction().execute((trx) => getCustomerDetails(trx, seller, customerId));
    assert.deepEqual([customer.name, customer.status, customer.plan.name], ['Customer bakery', 'suspended', 'Free']);
    assert.deepEqual(
      customer.history.map(({ kind }) => kind),
      ['suspended', 'created'],
    );
    assert.deepEqual(
      customer.people.map(({ email, role, lastSeenAt }) => [email, role, lastSeenAt]),
      [['carl@example.com', 'owner', null]],
    );
    assert.deepEqual(
      customer.mail.map(({ status, attempts, last_error }) => [status, attempts, last_error]),
      [['failed', 3, last_error]],
    );
    assert.deepEqual(customer.domains, []);
  });
});
