import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { runCli, runCliJson, runCliWith } from '../../test/cli.ts';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';

onEachDatabase('webhook commands', (open) => {
  test('webhook commands add, list, resend, resume and remove a webhook', async (t) => {
    const { db, config } = await open(t);
    await makeAccount(db, 'acme');
    const acme = ['--account', 'acme'];
    const url = 'https://shop.example.com/events';
    const refused = await runCli(config, 'webhook', 'add', 'http://shop.example.com/', ...acme);
    assert.match(refused.error, /^URL must be an https:\/\/ address .*WEBHOOKS_TO_PRIVATE_NETWORKS=true allows http/);
    const inside = await runCli(config, 'webhook', 'add', 'https://10.0.0.1/', ...acme);
    assert.match(inside.error, /^URL leads into a private network: .*WEBHOOKS_TO_PRIVATE_NETWORKS=true allows it\.$/m);
    const { webhook, secret } = await runCliJson(config, 'webhook', 'add', url, ...acme, '--kinds', 'page, customer');
    assert.match(secret, /^whsec_[\w+/]{43}=$/);
    const list = async () => (await runCliJson(config, 'webhook', 'list', ...acme)).webhooks;
    assert.deepEqual(await list(), [webhook]);
    assert.deepEqual([webhook.url, webhook.kinds, webhook.status], [url, ['page', 'customer'], 'active']);
    assert.ok(!(await runCli(config, 'webhook', 'list', ...acme)).out.includes(secret));

    await db
      .transaction()
      .execute((trx) => trx.updateTable('webhooks').set({ paused_at: 1 }).where('url', '=', url).execute());
    assert.equal((await list())[0].status, 'paused');
    await runCliJson(config, 'webhook', 'resume', webhook.id, ...acme);
    assert.equal((await list())[0].status, 'active');
    const changed = await runCliJson(config, 'webhook', 'change', webhook.id, ...acme, '--kinds', 'all');
    assert.deepEqual([await list(), changed.webhook.kinds, changed.webhook.url], [[changed.webhook], null, url]);
    await runCliJson(config, 'webhook', 'resend', webhook.id, ...acme, '--from', 'event_1');
    assert.notEqual((await runCliJson(config, 'webhook', 'secret', webhook.id, ...acme)).secret, secret);
    assert.deepEqual(await runCliJson(config, 'webhook', 'deliveries', webhook.id, ...acme), { deliveries: [] });
    await runCliJson(config, 'webhook', 'remove', webhook.id, ...acme);
    assert.deepEqual(await list(), []);
    assert.equal((await runCli(config, 'webhook', 'remove', webhook.id, ...acme)).code, 1);
  });

  test('webhook replay sends one event of any kind, and prints the response', async (t) => {
    const { db, config } = await open(t);
    const { accountId } = await makeAccount(db, 'acme');
    const received: string[] = [];
    const statuses = [200, 503];
    const server = createServer(async (request, response) => {
      received.push(JSON.parse(await text(request)).type);
      response.writeHead(statuses.shift()!).end('Noted.');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const acme = ['--account', 'acme'];
    const replay = (...args: string[]) =>
      runCliWith({ WEBHOOKS_TO_PRIVATE_NETWORKS: 'true' }, config, 'webhook', 'replay', ...args, ...acme);
    const added = ['webhook', 'add', url, ...acme, '--kinds', 'page', '--json'];
    const { webhook } = JSON.parse((await runCliWith({ WEBHOOKS_TO_PRIVATE_NETWORKS: 'true' }, config, ...added)).out);
    const { id } = await db
      .selectFrom('audit_log')
      .select('id')
      .where('account_id', '=', accountId)
      .where('action', '=', 'webhook.added')
      .executeTakeFirstOrThrow();
    const event = `event_${id}`;
    const taken = await replay(webhook.id, event, '--json');
    const { attempt } = JSON.parse(taken.out);
    assert.deepEqual([taken.code, attempt.event, attempt.status, attempt.error], [0, event, 200, null]);
    assert.equal(attempt.response, 'Noted.');
    const refused = await replay(webhook.id, String(id));
    assert.equal(refused.code, 1);
    assert.match(refused.out, new RegExp(`^${event} was answered with 503 \\(\\d+ ms\\)\\.\\n$`));
    const { deliveries } = await runCliJson(config, 'webhook', 'deliveries', webhook.id, ...acme);
    assert.deepEqual(
      deliveries.map(({ event, status }: { event: string; status: number }) => [event, status]),
      [
        [event, 503],
        [event, 200],
      ],
    );
    assert.deepEqual(received, ['webhook.added', 'webhook.added']);
    const missing = await replay(webhook.id, 'event_1000000');
    assert.deepEqual([missing.code, missing.out, missing.error], [2, '', 'Event does not exist.\n']);
    assert.equal((await replay(webhook.id, 'yesterday')).error, 'EVENTID must be the id of an event, like event_12.\n');
    assert.equal((await replay('webhook_99', event)).code, 1);
    assert.equal(received.length, 2);
  });

  test('webhook commands refuse invalid values', async (t) => {
    const { db, config } = await open(t);
    await makeAccount(db, 'acme');
    for (const args of [
      ['add', 'http://shop.example.com/', '--account', 'acme'],
      ['add', 'https://10.0.0.1/', '--account', 'acme'],
      ['add', 'https://shop.example.com/', '--account', 'acme', '--kinds', 'weather'],
      ['change', 'webhook_1', '--account', 'acme'],
      ['change', 'webhook_1', '--account', 'acme', '--kinds', 'page'],
      ['resend', 'webhook_1', '--account', 'acme', '--from', 'yesterday'],
      ['remove', 'webhook_1', '--account', 'acme'],
      ['remove', 'nonsense', '--account', 'acme'],
    ]) {
      const { code, out } = await runCli(config, 'webhook', ...args);
      assert.ok(code > 0 && out === '', args.join(' '));
    }
  });
});
