import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';

onEachDatabase('webhooks in the admin app', (open) => {
  test('a webhook can be added, tested, changed, removed and restored, and its secret is shown once', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open, { WEBHOOKS_TO_PRIVATE_NETWORKS: 'true' });
    const receiver = createServer((request, response) => {
      request.resume();
      response.writeHead(202).end('Thanks.');
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    t.after(() => {
      receiver.closeAllConnections();
      receiver.close();
    });
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const admin = await signedInAs(service, db, accountId, 'admin');
    const added = await admin.post('webhooks', { url, kinds: ['page'] });
    assert.equal(added.status, 201);
    const { id, secret } = added.json;
    const listed = await admin.get('webhooks');
    assert.ok(!listed.text.includes(secret));
    const [{ createdAt, ...webhook }] = listed.json.webhooks;
    assert.deepEqual(webhook, { id, url, kinds: ['page'], failingSince: null, pausedAt: null, nextAttemptAt: null });

    const { at, duration, ...attempt } = (await admin.post(`webhooks/${id}/test`)).json;
    assert.deepEqual(attempt, { status: 202, error: null, response: 'Thanks.' });
    const { deliveries } = (await admin.get(`webhooks/${id}/deliveries`)).json;
    assert.deepEqual(
      deliveries.map(({ eventId, type, status }: Record<string, unknown>) => [eventId, type, status]),
      [[0, 'webhook.test', 202]],
    );
    assert.equal((await admin.patch(`webhooks/${id}`, { kinds: null })).status, 204);
    const misspelt = await admin.patch(`webhooks/${id}`, { url: 'nonsense' });
    assert.deepEqual(misspelt.json.error.fields, [{ field: 'url', code: 'not_a_webhook_address' }]);
    const [changed] = (await admin.get('webhooks')).json.webhooks;
    assert.deepEqual([changed.url, changed.kinds], [url, null]);
    assert.notEqual((await admin.post(`webhooks/${id}/secret`)).json.secret, secret);
    assert.equal((await admin.delete(`webhooks/${id}`)).status, 204);
    assert.equal((await admin.post(`webhooks/${id}/test`)).status, 404);
    assert.equal((await admin.post(`webhooks/${id}/restore`)).status, 204);
    assert.equal((await admin.get('webhooks')).json.webhooks.length, 1);
    const wrong = await admin.post('webhooks', { url: 'nonsense', kinds: [] });
    assert.deepEqual(wrong.json.error.fields, [
      { field: 'url', code: 'not_a_webhook_address' },
      { field: 'kinds', code: 'blank' },
    ]);
  });

  test('after 60 tests of a webhook, the next one is refused', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open, { WEBHOOKS_TO_PRIVATE_NETWORKS: 'true' });
    const admin = await signedInAs(service, db, accountId, 'admin');
    const { id } = (await admin.post('webhooks', { url: 'http://127.0.0.1:1/' })).json;
    for (let count = 0; count < 60; count++) assert.equal((await admin.post(`webhooks/${id}/test`)).status, 200);
    assert.equal((await admin.post(`webhooks/${id}/test`)).status, 429);
  });
});
