import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { beforeClosing, onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { operator, recordAuditEvent } from '../audit/record-audit-event.ts';
import { addWebhook } from '../webhooks/add-webhook.ts';
import { startWebhooks } from './webhooks.ts';

/** More than have their turn at first. */
const ACCOUNTS = ['one', 'two', 'three', 'four', 'five', 'six'];

/** A receiver that tells `arrived` of each message, which answers it. */
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

onEachDatabase('the sending of events', (open) => {
  async function start(t: TestContext, url: string, accounts: readonly string[]) {
    const { db } = await open(t);
    const ids: number[] = [];
    for (const name of accounts) {
      const { accountId } = await makeAccount(db, name);
      ids.push(accountId);
      const settings = { webhooksToPrivateNetworks: true };
      await db.transaction().execute((trx) => addWebhook(trx, accountId, { url, kinds: null }, operator, settings));
    }
    // The poll at the start is the only one.
    t.mock.timers.enable({ apis: ['setInterval'] });
    const config = { webhooksToPrivateNetworks: true, dnsServers: [], mailFrom: 'no-reply@example.com' };
    const webhooks = startWebhooks({ db, config, log: pino({ enabled: false }), onMailQueued: () => {} });
    beforeClosing(t, () => webhooks.stop());
    return { db, webhooks, ids };
  }

  test('an event is sent after a nudge, before the next poll', async (t) => {
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

  test('one poll begins to send to all webhooks that have events, whether the first receivers have answered or not', async (t) => {
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
});
