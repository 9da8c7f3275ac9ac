import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../test/factories.ts';
import type { Trx } from '../db/database.ts';
import { claimMail } from './claim-mail.ts';
import type { MailKind } from './mail-words.ts';
import { enqueue } from './outbox.ts';
import { recordFailure } from './record-delivery.ts';

onEachDatabase('mail that fails for good', (open) => {
  test('failed login instructions are logged for the recipient’s account and for its seller', async (t) => {
    const { fail, events, customerId } = await start(t, open);
    await fail('login_instructions', undefined);
    const about = { kind: 'login_instructions', email: 'ada@example.com', reason: '550 nobody of that name' };
    assert.deepEqual(await events('seller'), [
      ['customer.mail_failed', `customer_${customerId}`, 'service', { ...about, name: 'Acme Bakery' }],
    ]);
    const [[action, subject, actor, details]] = (await events('customer')) as [[string, string, string, object]];
    assert.deepEqual([action, actor, details], ['mail.failed', 'service', { ...about, name: 'ada@example.com' }]);
    assert.match(subject, /^mail_\d+$/);
  });

  test('a failed message other than login instructions is logged for its account only', async (t) => {
    const { fail, events } = await start(t, open);
    await fail('security_notice', undefined);
    assert.deepEqual([(await events('seller')).length, (await events('customer')).length], [0, 1]);
  });

  test('the event of a failed message reveals nothing about the operator’s network', async (t) => {
    const { fail, events } = await start(t, open);
    await fail('security_notice', undefined, { isRefused: false });
    const [[, , , { reason }]] = (await events('customer')) as [[string, string, string, { reason: string }]];
    assert.equal(reason, 'No mail server took the message within three days.');
  });

  test('a message that will be retried is not logged as failed', async (t) => {
    const { fail, events } = await start(t, open);
    await fail('login_instructions', Date.now() + 1000);
    assert.deepEqual([await events('seller'), await events('customer')], [[], []]);
  });

  test('a failure is not logged if another worker has taken over the message', async (t) => {
    const { write, fail, events } = await start(t, open);
    const meanwhile = () => write((trx) => trx.updateTable('outbox').set({ claimed_by: 'another' }).execute());
    await fail('login_instructions', undefined, { meanwhile });
    assert.deepEqual([await events('seller'), await events('customer')], [[], []]);
  });
});

async function start(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  const { db } = await open(t);
  const { accountId: sellerId } = await makeAccount(db);
  const customerId = await makeCustomer(db, sellerId);
  const write = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);
  const named = { name: 'Acme Bakery' };
  // Removes the customer's own login instructions.
  await write((trx) => trx.deleteFrom('outbox').execute());
  await write((trx) => trx.updateTable('accounts').set(named).where('id', '=', customerId).execute());
  const accounts = { seller: sellerId, customer: customerId };
  const fail = async (
    kind: MailKind,
    dueAt: number | undefined,
    { meanwhile, isRefused = true }: { meanwhile?: () => Promise<unknown>; isRefused?: boolean } = {},
  ) => {
    const message = { fromName: 'Agency', toName: 'Ada', toEmail: 'ada@example.com', replyTo: null };
    const texts = { subject: 'Hello', text: 'Hello Ada', html: '<p>Hello Ada</p>' };
    await write((trx) => enqueue(trx, customerId, 'no-reply@freehold.test', { ...message, ...texts, kind }));
    const claim = { worker: 'one', now: Date.now(), leaseMs: 30_000 };
    const [claimed] = await write((trx) => claimMail(trx, 1, claim));
    await meanwhile?.();
    const serverReply = '550 nobody of that name';
    await write((trx) => recordFailure(trx, claimed!, { serverReply, dueAt, isRefused }));
  };
  const events = async (of: keyof typeof accounts) => {
    const rows = await db
      .selectFrom('audit_log')
      .select(['action', 'subject', 'actor', 'details'])
      .where('account_id', '=', accounts[of])
      .where('action', 'like', '%failed')
      .orderBy('id')
      .execute();
    return rows.map(({ action, subject, actor, details }) => [action, subject, actor, JSON.parse(details)]);
  };
  return { write, fail, events, customerId };
}
