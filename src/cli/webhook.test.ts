import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli, runCliJson } from '../../test/cli.ts';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';

onEachDatabase('the commands for webhooks', (open) => {
  test('add, list, resend, resume and remove a webhook', async (t) => {
    const { db, config } = await open(t);
    await makeAccount(db, 'acme');
    const acme = ['--account', 'acme'];
    const url = 'https://shop.example.com/events';
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

  test('refuse what cannot be', async (t) => {
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
