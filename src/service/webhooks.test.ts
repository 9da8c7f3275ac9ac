import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { beforeClosing, onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { operator, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Db } from '../db/database.ts';
import { addWebhook } from '../webhooks/add-webhook.ts';
import { startWebhooks } from './webhooks.ts';

/** More accounts than are served first. */
const ACCOUNTS = ['one', 'two', 'three', 'four', 'five', 'six'];
const OTHERS = ['seven', 'eight'];

/** Starts a receiver that calls `arrived` for each message, which sends the answer. */
async function startReceiver(t: TestContext, arrived: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    arrived(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Adds a webhook. Its first event is its own creation. */
function addTo(db: Db, accountId: number, url: string) {
  const settings = { webhooksToPrivateNetworks: true };
  return db.transaction().execute((trx) => addWebhook(trx, accountId, { url, kinds: null }, operator, settings));
}

onEachDatabase('sending webhook events', (open) => {
  async function start(t: TestContext, url: string, accounts: readonly string[], { each = 1, paused = 0 } = {}) {
    const { db } = await open(t);
    const ids: number[] = [];
    for (const name of accounts) {
      const { accountId } = await makeAccount(db, name);
      ids.push(accountId);
      for (let count = 0; count < each; count++) await addTo(db, accountId, url);
    }
    const times = { created_at: 0, due_at: 0, paused_at: 1 };
    const row = { account_id: ids[0]!, url, secret: '', last_event_id: 0, ...times };
    const rows = Array.from({ length: paused }, () => row);
    if (paused > 0) await db.transaction().execute((trx) => trx.insertInto('webhooks').values(rows).execute());
    // Disables the interval, so only the poll at the start runs.
    t.mock.timers.enable({ apis: ['setInterval'] });
    const config = { webhooksToPrivateNetworks: true, dnsServers: [], mailFrom: 'no-reply@example.com' };
    const webhooks = startWebhooks({ db, config, log: pino({ enabled: false }), onMailQueued: () => {} });
    beforeClosing(t, () => webhooks.stop());
    return { db, webhooks, ids };
  }

  test('a nudge sends a webhook event before the next poll', async (t) => {
    const arrived = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let count = 0;
    const url = await startReceiver(t, (response) => {
      response.writeHead(204).end();
      arrived[count++]!.resolve();
    });
    const { db, webhooks, ids } = await start(t, url, ['acme']);
    await arrived[0]!.promise;
    const event = { action: 'page.created', subject: 'page_1', details: { name: 'Home' } };
    await db.transaction().execute((trx) => recordAuditEvent(trx, ids[0]!, operator, event));
    webhooks.nudge(ids[0]!);
    await arrived[1]!.promise;
  });

  test('one poll starts sending to all webhooks with events, even if no receiver has answered yet', async (t) => {
    const { promise: allWait, resolve } = Promise.withResolvers<void>();
    const waiting: ServerResponse[] = [];
    const url = await startReceiver(t, (response) => {
      if (waiting.push(response) === ACCOUNTS.length) resolve();
    });
    await start(t, url, ACCOUNTS);
    await allWait;
    assert.equal(waiting.length, ACCOUNTS.length);
    for (const response of waiting) response.writeHead(204).end();
  });

  test('an event is sent as soon as a slot is free, even if all were taken when it happened', async (t) => {
    const [isFull, hasArrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const waiting: ServerResponse[] = [];
    const slow = await startReceiver(t, (response) => {
      // All slots of both kinds.
      if (waiting.push(response) === 40) isFull.resolve();
    });
    const quick = await startReceiver(t, (response) => {
      response.writeHead(204).end();
      hasArrived.resolve();
    });
    // More webhooks than one poll checks, so that the poll does not reach the quick one after them.
    const { db, webhooks } = await start(t, slow, ACCOUNTS.concat(OTHERS), { each: 5, paused: 1000 });
    await isFull.promise;
    const { accountId } = await makeAccount(db);
    await addTo(db, accountId, quick);
    t.mock.timers.reset();
    t.mock.timers.enable({ apis: ['setTimeout'] });
    webhooks.nudge(accountId);
    t.mock.timers.tick(50);
    for (const response of waiting) response.writeHead(204).end();
    let isWaiting = true;
    void hasArrived.promise.then(() => {
      isWaiting = false;
    });
    while (isWaiting) {
      t.mock.timers.tick(50);
      // Each tick leaves time for a running query or message.
      await setImmediate();
      await db.selectFrom('accounts').select('id').execute();
    }
  });
  test('an event that occurs during a delivery is sent after it, even if polls check other webhooks by then', async (t) => {
    const hasBegun = Promise.withResolvers<ServerResponse>();
    const hasArrived = Promise.withResolvers<void>();
    let count = 0;
    const url = await startReceiver(t, (response) => {
      if (count++ === 0) return hasBegun.resolve(response);
      response.writeHead(204).end();
      hasArrived.resolve();
    });
    const { db, ids } = await start(t, url, ['acme'], { paused: 1000 });
    const response = await hasBegun.promise;
    t.mock.timers.tick(500);
    const event = { action: 'page.created', subject: 'page_1', details: { name: 'Home' } };
    await db.transaction().execute((trx) => recordAuditEvent(trx, ids[0]!, operator, event));
    response.writeHead(204).end();
    await hasArrived.promise;
  });
});
