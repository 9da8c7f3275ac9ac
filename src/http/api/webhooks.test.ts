import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { makeAccount } from '../../../test/factories.ts';
import { startWithAccount } from '../../../test/service.ts';
import { issueApiKey } from '../../api-keys/issue-api-key.ts';
import { recordDeliveries } from '../../webhooks/deliveries.ts';
import { eventKinds } from '../../webhooks/webhook.ts';

const done = { response: true, errors: [] };
const missing = { response: false, errors: 'The webhook does not exist.' };
const url = 'https://shop.example.com/events';

onEachDatabase('webhooks over the API', (open) => {
  test('a webhook can be added, read, rotated, removed and restored, and its secret is shown once', async (t) => {
    const { db, add, send, list } = await setUp(t, open);
    const added = await add({ url, kinds: 'customer page' });
    const { webhook, secret } = added.json;
    assert.match(secret, /^whsec_/);
    assert.match(webhook.created_at, /^\d{4}-\d\d-\d\dT.*Z$/);
    const { id, created_at, ...rest } = webhook;
    assert.deepEqual(rest, {
      url,
      kinds: ['page', 'customer'],
      state: 'active',
      failing_since: null,
      paused_at: null,
      next_attempt_at: null,
    });
    assert.deepEqual(await list(), [webhook]);
    assert.deepEqual((await send('GET', `/${id}.json`)).json, { webhook });

    const rotated = await send('POST', `/${id}/rotate.json`);
    assert.match(rotated.json.secret, /^whsec_/);
    assert.notEqual(rotated.json.secret, secret);
    const stored = await db.selectFrom('webhooks').select(['secret', 'old_secret']).executeTakeFirstOrThrow();
    assert.deepEqual({ ...stored }, { secret: rotated.json.secret, old_secret: secret });
    assert.deepEqual((await send('DELETE', `/${id}.json`)).json, done);
    assert.deepEqual(await list(), []);
    assert.deepEqual((await send('POST', `/${id}/restore.json`)).json, done);
    assert.deepEqual(await list(), [webhook]);
    const actions = await db
      .selectFrom('audit_log')
      .select('action')
      .where('action', 'like', 'webhook.%')
      .orderBy('id')
      .execute();
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['webhook.added', 'webhook.secret_changed', 'webhook.removed', 'webhook.restored'],
    );
  });

  test('the sent fields of a webhook are changed, and an invalid request changes nothing', async (t) => {
    const { db, add, send, list } = await setUp(t, open);
    const { webhook } = (await add({ url, kinds: 'page' })).json;
    const change = (query: string) => send('PATCH', `/${webhook.id}.json?${query}`);
    await db
      .transaction()
      .execute((trx) => trx.updateTable('webhooks').set({ failures: 9, failing_since: 1, paused_at: 2 }).execute());
    const failing = (await list())[0];
    const kinds = await change('webhook[kinds]=plan+customer');
    assert.deepEqual(kinds.json, { ...done, webhook: { ...failing, kinds: ['customer', 'plan'] } });
    const moved = 'https://shop.example.com/v2';
    const elsewhere = await change(`webhook[url]=${moved}&webhook[kinds]=`);
    assert.deepEqual(elsewhere.json, { ...done, webhook: { ...webhook, url: moved, kinds: null } });
    assert.deepEqual(await list(), [elsewhere.json.webhook]);
    const wrong = await change('webhook[url]=http://10.0.0.1/&webhook[kinds]=page');
    assert.equal(wrong.status, 422);
    const both = await change('webhook[url]=shop&webhook[kinds]=invoice');
    assert.deepEqual(
      both.json.errors.map(([field]: [string, string]) => field),
      ['url', 'kinds'],
    );
    assert.equal((await change('')).status, 400);
    assert.deepEqual((await send('PATCH', '/webhook_999.json?webhook[kinds]=page')).json, missing);
    assert.deepEqual(await list(), [elsewhere.json.webhook]);
    await change(`webhook[url]=${moved}`);
    const actions = db.selectFrom('audit_log').select('action').where('action', '=', 'webhook.changed');
    assert.equal((await actions.execute()).length, 2);
  });

  test('a retry with the same Idempotency-Key adds no second webhook, and gets no secret', async (t) => {
    const { db, send, list } = await setUp(t, open);
    const again = { 'Idempotency-Key': 'one' };
    const path = `.json?webhook[url]=${encodeURIComponent(url)}`;
    const first = (await send('POST', path, { headers: again })).json;
    const second = (await send('POST', path, { headers: again })).json;
    assert.deepEqual(second, { ...first, secret: null });
    assert.equal((await list()).length, 1);
    const { id } = first.webhook;
    const rotated = (await send('POST', `/${id}/rotate.json`, { headers: { 'Idempotency-Key': 'two' } })).json;
    const repeated = (await send('POST', `/${id}/rotate.json`, { headers: { 'Idempotency-Key': 'two' } })).json;
    assert.deepEqual(repeated, { ...rotated, secret: null });
    for (const { answer } of await db.selectFrom('idempotency').select('answer').execute()) {
      assert.doesNotMatch(answer, /whsec_/);
    }
  });

  test('an invalid webhook, or more than 100, is refused, and nothing is added', async (t) => {
    const { db, accountId, add, list } = await setUp(t, open);
    for (const [fields, errors] of [
      [{ url: '' }, [['url', 'must be an https:// address without a user name or password']]],
      [{ url: 'http://shop.example.com/' }, [['url', 'must be an https:// address without a user name or password']]],
      [{ url: 'https://10.0.0.1/' }, [['url', 'leads into a private network']]],
      [{ url, kinds: 'page invoice' }, [['kinds', `is not one of ${eventKinds.join(', ')}`]]],
    ] as const) {
      const { status, json } = await add(fields);
      assert.deepEqual([status, json], [422, { response: false, errors }]);
    }
    assert.equal((await add({})).status, 400);
    assert.deepEqual(await list(), []);
    const row = { account_id: accountId, url, kinds: null, secret: 'whsec_', created_at: 1, last_event_id: 0 };
    const rows = Array.from({ length: 100 }, () => ({ ...row, due_at: 1 }));
    await db.transaction().execute((trx) => trx.insertInto('webhooks').values(rows).execute());
    const { status, json } = await add({ url });
    assert.deepEqual([status, json.errors], [422, 'There are 100 webhooks. Remove one first.']);
  });

  test('a test event is sent, signed, and listed among the deliveries', async (t) => {
    const { add, send } = await setUp(t, open, { WEBHOOKS_TO_PRIVATE_NETWORKS: 'true' });
    const receiver = await startReceiver(t);
    const { id } = (await add({ url: receiver.url })).json.webhook;
    const { attempt, ...rest } = (await send('POST', `/${id}/test.json`)).json;
    assert.deepEqual(rest, done);
    assert.ok(attempt.duration_ms >= 0);
    assert.deepEqual([attempt.status, attempt.error, attempt.response], [202, null, 'Thanks.']);
    assert.deepEqual(receiver.types, ['webhook.test']);
    const { deliveries, next } = (await send('GET', `/${id}/deliveries.json`)).json;
    const [{ id: deliveryId, ...delivery }] = deliveries;
    assert.match(deliveryId, /^delivery_\d+$/);
    assert.deepEqual(delivery, { ...attempt, event_id: null, request: null });
    assert.equal(next, null);
  });

  test('a single event can be replayed, and the queue of the webhook does not change', async (t) => {
    const { db, add, send } = await setUp(t, open, { WEBHOOKS_TO_PRIVATE_NETWORKS: 'true' });
    const receiver = await startReceiver(t);
    const { id } = (await add({ url: receiver.url })).json.webhook;
    await db
      .transaction()
      .execute((trx) => trx.updateTable('webhooks').set({ paused_at: 1, failing_since: 1 }).execute());
    const before = await db.selectFrom('webhooks').selectAll().execute();
    const event = (await send('GET', '', { list: 'events.json' })).json.events.at(-1);
    const { attempt, ...rest } = (await send('POST', `/${id}/replay.json?webhook[event]=${event.data.id}`)).json;
    assert.deepEqual([rest, attempt.status, receiver.types], [done, 202, ['webhook.added']]);
    const [delivery] = (await send('GET', `/${id}/deliveries.json`)).json.deliveries;
    assert.deepEqual([delivery.event_id, delivery.status, delivery.request], [event.data.id, 202, event]);
    assert.deepEqual(await db.selectFrom('webhooks').selectAll().execute(), before);
    for (const [text, message] of [
      ['', "can't be blank"],
      ['event_1000000', 'does not exist'],
      ['page_1', 'does not exist'],
    ]) {
      const { status, json } = await send('POST', `/${id}/replay.json?webhook[event]=${text}`);
      assert.deepEqual([status, json.errors], [422, [['event', message]]]);
    }
    assert.equal(receiver.types.length, 1);
  });

  test('a single event can be replayed even if the webhook does not receive its kind', async (t) => {
    const { add, send } = await setUp(t, open, { WEBHOOKS_TO_PRIVATE_NETWORKS: 'true' });
    const receiver = await startReceiver(t);
    const { id } = (await add({ url: receiver.url, kinds: 'page' })).json.webhook;
    const event = (await send('GET', '', { list: 'events.json' })).json.events.at(-1);
    const { attempt } = (await send('POST', `/${id}/replay.json?webhook[event]=${event.data.id}`)).json;
    assert.deepEqual([attempt.status, receiver.types], [202, ['webhook.added']]);
  });

  test('a test event whose key is revoked meanwhile is not recorded', async (t) => {
    const { db, accountId, add, send } = await setUp(t, open, { WEBHOOKS_TO_PRIVATE_NETWORKS: 'true' });
    const receiver = await startReceiver(t, () =>
      db
        .transaction()
        .execute((trx) =>
          trx.updateTable('api_keys').set({ revoked_at: 1 }).where('account_id', '=', accountId).execute(),
        ),
    );
    const { id } = (await add({ url: receiver.url })).json.webhook;
    assert.equal((await send('POST', `/${id}/test.json`)).status, 401);
    assert.deepEqual(await db.selectFrom('webhook_deliveries').select('id').execute(), []);
  });

  test('deliveries are listed in parts, latest first, with the request and the response', async (t) => {
    const { db, accountId, add, send } = await setUp(t, open);
    const { id } = (await add({ url })).json.webhook;
    const { events } = (await send('GET', '', { list: 'events.json' })).json;
    const event = events.at(-1);
    assert.equal(event.type, 'webhook.added');
    const eventId = Number(event.data.id.slice('event_'.length));
    const attempt = { at: 1000, duration: 5, error: null, eventId };
    const of = { account_id: accountId, id: Number(id.slice('webhook_'.length)) };
    await db.transaction().execute((trx) =>
      recordDeliveries(trx, of, [
        { ...attempt, status: 500, response: 'Oh' },
        { ...attempt, status: 204, response: '' },
        // The delivery of an event that has been purged.
        { ...attempt, status: 200, response: '', eventId: 1_000_000 },
      ]),
    );
    const part = async (query: string) => (await send('GET', `/${id}/deliveries.json${query}`)).json;
    const whole = await part('');
    assert.deepEqual(
      whole.deliveries.map((one: Record<string, unknown>) => [one.event_id, one.status, one.response, one.request]),
      [
        ['event_1000000', 200, '', null],
        [event.data.id, 204, '', event],
        [event.data.id, 500, 'Oh', event],
      ],
    );
    const first = await part('?limit=2');
    assert.deepEqual(first.deliveries, whole.deliveries.slice(0, 2));
    assert.deepEqual(await part(`?limit=2&before=${first.next}`), {
      deliveries: whole.deliveries.slice(2),
      next: null,
    });
    for (const query of ['?limit=0', '?before=x']) {
      assert.equal((await send('GET', `/${id}/deliveries.json${query}`)).status, 400, query);
    }
  });

  test('a paused webhook can be resumed, and can resend events from a given one', async (t) => {
    const { db, add, send } = await setUp(t, open);
    const { id } = (await add({ url })).json.webhook;
    const state = async () => (await send('GET', `/${id}.json`)).json.webhook.state;
    const set = (values: Readonly<Record<string, number>>) =>
      db.transaction().execute((trx) => trx.updateTable('webhooks').set(values).execute());
    const pause = () => set({ failing_since: 1, paused_at: 2, last_event_id: 9 });
    await set({ failing_since: 1 });
    assert.equal(await state(), 'failing');
    await pause();
    assert.equal(await state(), 'paused');
    assert.deepEqual((await send('POST', `/${id}/resume.json`)).json, done);
    assert.equal(await state(), 'active');
    await pause();
    assert.deepEqual((await send('POST', `/${id}/resend.json?webhook[from]=event_3`)).json, done);
    assert.equal(await state(), 'active');
    const { last_event_id } = await db.selectFrom('webhooks').select('last_event_id').executeTakeFirstOrThrow();
    assert.equal(last_event_id, 2);
    for (const [text, message] of [
      ['', "can't be blank"],
      ['page_1', 'does not exist'],
      ['event_999999', 'does not exist'],
    ]) {
      const { status, json } = await send('POST', `/${id}/resend.json?webhook[from]=${text}`);
      assert.deepEqual([status, json.errors], [422, [['from', message]]]);
    }
  });

  test("another account's webhooks are not found", async (t) => {
    const { db, add, send } = await setUp(t, open);
    const { id } = (await add({ url })).json.webhook;
    const { key } = await makeAccount(db);
    const before = await db.selectFrom('webhooks').selectAll().execute();
    assert.deepEqual((await send('GET', '.json', { key })).json, { webhooks: [] });
    for (const [method, path] of [
      ['GET', `/${id}.json`],
      ['GET', `/${id}/deliveries.json`],
      ['POST', `/${id}/test.json`],
      ['POST', `/${id}/replay.json?webhook[event]=1`],
      ['POST', `/${id}/resume.json`],
      ['POST', `/${id}/resend.json?webhook[from]=1`],
      ['POST', `/${id}/rotate.json`],
      ['DELETE', `/${id}.json`],
    ] as const) {
      const { status, json } = await send(method, path, { key });
      assert.deepEqual([status, json], [404, missing], `${method} ${path}`);
    }
    assert.equal((await send('POST', `/${id}/restore.json`, { key })).status, 404);
    assert.deepEqual(await db.selectFrom('webhooks').selectAll().execute(), before);
  });

  test('a key needs the scopes of webhooks', async (t) => {
    const { db, accountId, userId, add, send } = await setUp(t, open);
    const { id } = (await add({ url })).json.webhook;
    const keyWith = async (scopes: readonly string[]) =>
      (
        await db
          .transaction()
          .execute((trx) => issueApiKey(trx, accountId, { userId, name: 'x', expiresAt: null, scopes }))
      ).key;
    const [events, reading, writing] = [
      await keyWith(['events:read']),
      await keyWith(['webhooks:read']),
      await keyWith(['webhooks:write']),
    ];
    const status = async (method: string, path: string, key: string) => (await send(method, path, { key })).status;
    assert.equal(await status('GET', '.json', events), 403);
    assert.equal(await status('GET', '.json', reading), 200);
    assert.equal(await status('GET', `/${id}/deliveries.json`, reading), 200);
    assert.equal(await status('POST', `/${id}/rotate.json`, reading), 403);
    assert.equal(await status('POST', `/${id}/resume.json`, writing), 200);
  });
});

async function startReceiver(t: TestContext, beforeAnswer: () => Promise<unknown> = async () => {}) {
  const types: string[] = [];
  const receiver = createServer(async (request, response) => {
    const chunks = await Array.fromAsync(request);
    types.push(JSON.parse(Buffer.concat(chunks).toString()).type);
    assert.match(String(request.headers['webhook-signature']), /^v1,/);
    await beforeAnswer();
    response.writeHead(202).end('Thanks.');
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  t.after(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  return { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, types };
}

async function setUp(
  t: TestContext,
  open: (t: TestContext) => Promise<TestDatabase>,
  options: Readonly<Record<string, string>> = {},
) {
  const started = await startWithAccount(t, open, options);
  const { service, key: own } = started;
  const send = (
    method: string,
    path: string,
    { key = own, headers = {}, list = 'webhooks' }: { key?: string; headers?: object; list?: string } = {},
  ) =>
    service.request(method, `/api/${list}${path}`.replaceAll('[', '%5B').replaceAll(']', '%5D'), {
      headers: { Authorization: `Bearer ${key}`, ...headers },
    });
  const add = (fields: Readonly<Record<string, string>>) =>
    service.post(
      '/api/webhooks.json',
      own,
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [`webhook[${name}]`, value])),
    );
  const list = async () => (await send('GET', '.json')).json.webhooks;
  return { ...started, send, add, list };
}
