import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { makeUser, proveAddress } from '../../test/person.ts';
import { operator, recordAuditEvent } from '../audit/record-audit-event.ts';
import { takeTurnsAs } from '../db/connection-turns.ts';
import type { Db, Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { newTraceId, Trace } from '../trace.ts';
import { addWebhook } from './add-webhook.ts';
import { changeWebhookSecret, removeWebhook, resendEvents, resumeWebhook } from './change-webhook.ts';
import { deliverEvents } from './deliver-events.ts';
import { listDeliveries } from './deliveries.ts';
import { pruneWebhooks } from './prune-webhooks.ts';
import { type Send, sender } from './send.ts';
import { messageSender } from './send-messages.ts';
import { SendingShares } from './sending-shares.ts';
import { allWebhooks } from './webhook-range.ts';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** Starts a receiver that records its requests. It answers with the statuses in turn and repeats the last one. */
async function startReceiver(t: TestContext, statuses: number[] = [204], answer = '') {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    const status = statuses.length > 1 ? statuses.shift()! : statuses[0]!;
    response.writeHead(status, status === 302 ? { Location: '/elsewhere' } : {}).end(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?key=1` };
}

const settings = { webhooksToPrivateNetworks: true, dnsServers: [] };

onEachDatabase('webhook delivery', (open) => {
  async function start(t: TestContext) {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    // Freezes the clock, so that no delay or lease ends because the machine is busy.
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const stop = new AbortController();
    t.after(() => stop.abort());
    const logged: string[] = [];
    const log = pino({ base: null }, { write: (line: string) => void logged.push(line) });
    const mail = { mailFrom: 'no-reply@example.com', onMailQueued: () => {} };
    const send = sender(settings, stop.signal);
    const sendingBy = (send: Send) => messageSender(send, stop.signal);
    const options = {
      worker: 'one',
      among: allWebhooks,
      shares: new SendingShares({ maxPerTopLevel: 10, maxPerCustomer: 5 }),
      send: sendingBy(send),
      signal: stop.signal,
      random: () => 0,
      log,
      ...mail,
    };
    const inTransaction = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);
    const add = (url: string, kinds: string[] | null = null) =>
      inTransaction((trx) => addWebhook(trx, accountId, { url, kinds }, operator, settings));
    const happen = (action: string, name = 'Something') =>
      inTransaction((trx) =>
        recordAuditEvent(trx, accountId, operator, { action, subject: 'page_1', details: { name } }),
      );
    /** Delivers until nothing is due. */
    const deliver = async () => {
      while (await deliverEvents(db, options));
    };
    const webhook = (id: number) =>
      db.selectFrom('webhooks').selectAll().where('account_id', '=', accountId).where('id', '=', id).executeTakeFirst();
    return { db, accountId, send, sendingBy, options, logged, inTransaction, add, happen, deliver, webhook };
  }

  const types = (received: readonly Received[]) => received.map(({ body }) => JSON.parse(body).type);
  /** Makes every attempt due, as if enough time had passed. */
  const later = (db: Db) =>
    db.transaction().execute((trx) => trx.updateTable('webhooks').set({ due_at: 0 }).where('id', '>', 0).execute());

  test('a webhook receives events in order, starting with its creation, signed with its secret', async (t) => {
    const { accountId, add, happen, deliver } = await start(t);
    const { received, url } = await startReceiver(t);
    await happen('page.created', 'Before');
    const { secret } = await add(url);
    for (const name of ['One', 'Two', 'Three']) await happen('page.created', name);
    await deliver();
    assert.deepEqual(types(received), ['webhook.added', 'page.created', 'page.created', 'page.created']);
    assert.deepEqual(
      received.slice(1).map(({ body }) => JSON.parse(body).data.details.name),
      ['One', 'Two', 'Three'],
    );
    const { headers, body } = received[1]!;
    const { data } = JSON.parse(body);
    assert.deepEqual([headers['webhook-id'], data.account_id], [data.id, `account_${accountId}`]);
    assert.ok(Math.abs(Number(headers['webhook-timestamp']) * 1000 - Date.now()) < 60_000);
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    assert.equal(headers['webhook-signature'], `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  });

  test('a delivery is a step in the trace of the request that caused the event, and the log names the trace', async (t) => {
    const { accountId, add, happen, deliver, logged } = await start(t);
    const { received, url } = await startReceiver(t, [204, 500]);
    const { id } = await add(url, ['page']);
    const request = new Trace(newTraceId(), { isSampled: true });
    await takeTurnsAs(accountId, () => happen('page.created'), request);
    await happen('page.moved');
    await deliver();
    const [caused, uncaused] = received.map(({ headers }) => headers.traceparent);
    assert.match(String(caused), new RegExp(`^00-${request.id}-(?!${request.spanId})[\\da-f]{16}-01$`));
    assert.equal(uncaused, undefined);
    const lines = logged.map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ level, webhook, account, status, traceId }) => [level, webhook, account, status, traceId]),
      [
        [30, id, accountId, 204, request.id],
        [40, id, accountId, 500, undefined],
      ],
    );
    assert.doesNotMatch(logged.join(''), /key=1|127\.0\.0\.1/);
  });

  test('delivery can be limited to the events of certain accounts', async (t) => {
    const { db, accountId, options, add } = await start(t);
    const { received, url } = await startReceiver(t);
    await add(url);
    const { accountId: other } = await makeAccount(db, 'other');
    assert.equal(await deliverEvents(db, { ...options, among: [other] }), false);
    assert.equal(await deliverEvents(db, { ...options, among: [other, accountId] }), true);
    assert.deepEqual(types(received), ['webhook.added']);
  });

  test('a webhook receives only the chosen kinds of events', async (t) => {
    const { add, happen, deliver } = await start(t);
    const { received, url } = await startReceiver(t);
    await add(url, ['page', 'customer']);
    for (const action of ['page.created', 'media.uploaded', 'pages.other', 'customer.created']) await happen(action);
    await deliver();
    assert.deepEqual(types(received), ['page.created', 'customer.created']);
  });

  test('a refused event is sent again with the same id, and later events wait', async (t) => {
    const { db, accountId, add, happen, deliver, webhook } = await start(t);
    const { received, url } = await startReceiver(t, [500, 302, 200], 'words of the receiver');
    const { id } = await add(url, ['page']);
    for (const name of ['One', 'Two']) await happen('page.created', name);
    await deliver();
    assert.deepEqual([received.length, (await webhook(id))!.failures], [1, 1]);
    await deliver();
    assert.equal(received.length, 1, 'the event was sent again without a delay');
    await later(db);
    await deliver();
    assert.equal((await webhook(id))!.failures, 2);
    await later(db);
    await deliver();
    assert.deepEqual(
      received.map(({ headers, body }) => [headers['webhook-id'], JSON.parse(body).data.details.name]),
      [0, 0, 0, 3].map((index) => [received[index]!.headers['webhook-id'], index === 3 ? 'Two' : 'One']),
    );
    const { failures, failing_since } = (await webhook(id))!;
    assert.deepEqual([failures, failing_since], [0, null]);
    const deliveries = await listDeliveries(db, accountId, { webhookId: id, limit: 10 });
    assert.deepEqual(
      deliveries.map(({ status, response, request }) => [status, response, request?.data.details.name]),
      [
        [200, 'words of the receiver', 'Two'],
        [200, 'words of the receiver', 'One'],
        [302, 'words of the receiver', 'One'],
        [500, 'words of the receiver', 'One'],
      ],
    );
  });

  test('failures are counted anew after an event that was accepted', async (t) => {
    const { db, add, happen, deliver, webhook } = await start(t);
    const { url } = await startReceiver(t, [500, 500, 204, 500]);
    const { id } = await add(url, ['page']);
    for (const name of ['One', 'Two']) await happen('page.created', name);
    await deliver();
    await db
      .transaction()
      .execute((trx) =>
        trx.updateTable('webhooks').set({ due_at: 0, failing_since: 1 }).where('id', '=', id).execute(),
      );
    await deliver();
    const stillFailing = (await webhook(id))!;
    assert.deepEqual([stillFailing.failures, stillFailing.failing_since], [2, 1]);
    await later(db);
    await deliver();
    const failingAnew = (await webhook(id))!;
    assert.equal(failingAnew.failures, 1);
    assert.notEqual(failingAnew.failing_since, 1);
  });

  test('a webhook that fails for three days or is gone is paused without losing events, and its owner is told', async (t) => {
    const { db, accountId, inTransaction, add, happen, deliver, webhook } = await start(t);
    const owner = await makeUser(db, accountId, { role: 'owner' });
    await proveAddress(db, owner.id);
    const { received, url } = await startReceiver(t, [410, 200]);
    const { id } = await add(url, ['page']);
    await happen('page.created');
    await deliver();
    assert.ok((await webhook(id))!.paused_at! > 0);
    await later(db);
    await deliver();
    assert.equal(received.length, 1);
    const told = await db
      .selectFrom('outbox')
      .select(['to_email', 'text'])
      .where('account_id', '=', accountId)
      .execute();
    assert.deepEqual(
      told.map(({ to_email }) => to_email),
      [owner.email],
    );
    assert.ok(told[0]!.text.includes('answered with the status 410') && !told[0]!.text.includes('key'));
    await inTransaction((trx) => resumeWebhook(trx, accountId, id, operator));
    await deliver();
    assert.equal(received.length, 2);

    const silent = await add('http://127.0.0.1:1/', ['page']);
    await happen('page.changed');
    let attempts = 0;
    for (; (await webhook(silent.id))!.paused_at === null; attempts++) {
      await later(db);
      await deliver();
    }
    assert.ok(attempts > 20, `${attempts} attempts`);
  });

  test('a process that dies during a delivery leaves the rest to another process', async (t) => {
    const { db, options, add, happen } = await start(t);
    const { received, url } = await startReceiver(t);
    await add(url, ['page']);
    await happen('page.created');
    const dead = new Promise<never>(() => {});
    void deliverEvents(db, { ...options, worker: 'dead', send: () => dead });
    const claimedBy = () => db.selectFrom('webhooks').select('claimed_by').executeTakeFirstOrThrow();
    while ((await claimedBy()).claimed_by !== 'dead') await setImmediate();
    assert.equal(await deliverEvents(db, options), false);
    await later(db);
    assert.equal(await deliverEvents(db, options), true);
    assert.equal(received.length, 1);
  });

  test('slow receivers of one account leave delivery slots to others', async (t) => {
    const { db, options, add, happen } = await start(t);
    for (let count = 0; count < 6; count++) await add(`http://127.0.0.1:1/${count}`, ['page']);
    await happen('page.created');
    let sent = 0;
    const slow = () => {
      sent += 1;
      return new Promise<never>(() => {});
    };
    for (let count = 1; count <= 5; count++) {
      void deliverEvents(db, { ...options, send: slow });
      while (sent < count) await setImmediate();
    }
    assert.equal(await deliverEvents(db, options), false);
  });

  test('slots for quick receivers drop a webhook that turns slow, until it is quick again', async (t) => {
    const { db, send, sendingBy, options, add, happen, webhook } = await start(t);
    const { received, url } = await startReceiver(t);
    const { id } = await add(url, ['page']);
    await happen('page.created');
    await happen('page.changed');
    const taking = (duration: number): typeof options => ({
      ...options,
      send: sendingBy(async (...request) => ({ ...(await send(...request)), duration })),
    });
    assert.equal(await deliverEvents(db, { ...taking(1001), isQuickOnly: true }), true);
    assert.deepEqual([types(received), (await webhook(id))!.is_slow], [['page.created'], 1]);
    assert.equal(await deliverEvents(db, { ...taking(1000), isQuickOnly: true }), false);
    assert.equal(await deliverEvents(db, taking(1000)), true);
    assert.deepEqual([types(received), (await webhook(id))!.is_slow], [['page.created', 'page.changed'], 0]);
    await happen('page.moved');
    assert.equal(await deliverEvents(db, { ...taking(1000), isQuickOnly: true }), true);
  });

  test('a webhook that is changed during a delivery run has its next run afterwards, not concurrently', async (t) => {
    const { db, accountId, send, sendingBy, options, inTransaction, add, happen, deliver } = await start(t);
    const { received, url } = await startReceiver(t);
    const { id } = await add(url, ['page']);
    await happen('page.created');
    const answer = Promise.withResolvers<void>();
    let sent = 0;
    const slow = sendingBy(async (...request) => {
      sent += 1;
      await answer.promise;
      return send(...request);
    });
    const run = deliverEvents(db, { ...options, send: slow });
    while (sent === 0) await setImmediate();
    await inTransaction((trx) => resendEvents(trx, accountId, { id, from: 1 }, operator));
    await inTransaction((trx) => resumeWebhook(trx, accountId, id, operator));
    await inTransaction((trx) => resendEvents(trx, accountId, { id, from: 1 }, operator));
    assert.equal(await deliverEvents(db, { ...options, worker: 'two', send: slow }), false);
    assert.equal(sent, 1);
    answer.resolve();
    await run;
    await deliver();
    assert.deepEqual(types(received), ['page.created', 'page.created']);
  });

  test('changed secrets overlap, removed webhooks get nothing, and earlier events can be sent again', async (t) => {
    const { db, accountId, inTransaction, add, happen, deliver } = await start(t);
    const { received, url } = await startReceiver(t);
    const { id } = await add(url, ['page']);
    await inTransaction((trx) => changeWebhookSecret(trx, accountId, id, operator));
    await happen('page.created');
    await deliver();
    assert.equal(String(received[0]!.headers['webhook-signature']).split(' ').length, 2);
    const from = Number(JSON.parse(received[0]!.body).data.id.slice('event_'.length));
    await inTransaction((trx) => resendEvents(trx, accountId, { id, from }, operator));
    await deliver();
    assert.equal(received[1]!.body, received[0]!.body);
    await inTransaction((trx) => removeWebhook(trx, accountId, id, operator));
    await happen('page.created');
    await deliver();
    assert.equal(received.length, 2);
    await pruneWebhooks(db, Date.now() + 2 * 24 * 60 * 60 * 1000, 1);
    assert.deepEqual(await db.selectFrom('webhooks').select('id').execute(), []);
    assert.deepEqual(await db.selectFrom('webhook_deliveries').select('id').execute(), []);
  });

  test('resent events are only of the chosen kinds', async (t) => {
    const { accountId, inTransaction, add, happen, deliver } = await start(t);
    const { received, url } = await startReceiver(t);
    const { id } = await add(url, ['page']);
    for (const type of ['customer.created', 'page.created', 'user.created']) await happen(type);
    await deliver();
    await inTransaction((trx) => resendEvents(trx, accountId, { id, from: 1 }, operator));
    await deliver();
    assert.deepEqual(types(received), ['page.created', 'page.created']);
  });

  test('addresses in private networks are refused when a webhook is added and when an event is sent', async (t) => {
    const { db, accountId, sendingBy, options, inTransaction, add, happen } = await start(t);
    const { received, url } = await startReceiver(t);
    const strict = { webhooksToPrivateNetworks: false, dnsServers: [] };
    for (const address of [
      'http://example.com/',
      'ftp://example.com/',
      'https://joe:secret@example.com/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://[64:ff9b::7f00:1]/',
      'https://2130706433/',
      'https://169.254.169.254/latest',
      `https://example.com/${'x'.repeat(1000)}`,
      'nonsense',
    ]) {
      await assert.rejects(
        inTransaction((trx) => addWebhook(trx, accountId, { url: address, kinds: null }, operator, strict)),
        ValidationError,
        address,
      );
    }
    const { id } = await add(url, ['page']);
    await happen('page.created');
    await deliverEvents(db, { ...options, send: sendingBy(sender(strict, options.signal)) });
    const [delivery] = await listDeliveries(db, accountId, { webhookId: id, limit: 1 });
    assert.deepEqual([received.length, delivery!.error], [0, 'The address leads into a private network.']);
  });

  test('an endless response is cut off, and a suspended account sends nothing', async (t) => {
    const { db, accountId, add, happen, deliver } = await start(t);
    const { received, url } = await startReceiver(t, [200], 'x'.repeat(10_000_000));
    const { id } = await add(url, ['page']);
    await happen('page.created');
    await deliver();
    const [delivery] = await listDeliveries(db, accountId, { webhookId: id, limit: 1 });
    assert.deepEqual([delivery!.status, delivery!.response.length], [200, 1000]);
    const setStatus = (status: 'active' | 'suspended') =>
      db
        .transaction()
        .execute((trx) => trx.updateTable('accounts').set({ status }).where('id', '=', accountId).execute());
    await setStatus('suspended');
    await happen('page.created');
    await deliver();
    assert.equal(received.length, 1);
    await setStatus('active');
    await deliver();
    assert.equal(received.length, 2);
  });
});
