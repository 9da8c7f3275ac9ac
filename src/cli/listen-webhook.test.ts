import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { runCliIn } from '../../test/cli.ts';
import { onEachDatabase } from '../../test/databases.ts';
import { freePort } from '../../test/free-port.ts';
import { startWithAccount } from '../../test/service.ts';
import { signatureHeaders } from '../webhooks/sign.ts';
import { newSecret } from '../webhooks/webhook.ts';
import { forwardEvents } from './listen-webhook.ts';

onEachDatabase('webhook listen', (open) => {
  test('webhook listen forwards new events in order and signed, and reports the result of each', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    await service.createPage(key, { name: 'Before' });
    const got: { headers: IncomingHttpHeaders; body: string }[] = [];
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const receiver = createServer(async (request, response) => {
      got.push({ headers: request.headers, body: await text(request) });
      response.writeHead(got.length === 1 ? 500 : 204).end();
      if (got.length === 2) resolve();
    }).listen(0, '127.0.0.1');
    t.after(() => receiver.close());
    await once(receiver, 'listening');
    const secret = newSecret();
    const stop = new AbortController();
    const reports: string[] = [];
    const { promise: isListening, resolve: begin } = Promise.withResolvers<void>();
    const origin = `http://127.0.0.1:${service.port}`;
    // The command has reached the latest event once it asks for events after that one.
    const asked = createServer((request, response) => {
      if (request.url!.includes('after=event_')) begin();
      fetch(origin + request.url, { headers: { Authorization: request.headers.authorization! } }).then(
        async (answer) => response.end(await answer.text()),
        () => response.destroy(),
      );
    }).listen(0, '127.0.0.1');
    t.after(() => asked.close());
    await once(asked, 'listening');
    const between = `http://127.0.0.1:${(asked.address() as AddressInfo).port}`;
    const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`;
    const options = { service: between, key, secret, kinds: ['page'], after: 'latest' };
    const listening = forwardEvents(target, options, { report: (line) => reports.push(line), signal: stop.signal });
    await isListening;
    await service.createPage(key, { name: 'One' });
    await service.post('/api/users.json', key, { 'user[name]': 'Ben', 'user[email]': 'ben@example.com' });
    await service.createPage(key, { name: 'Two' });
    await done;
    stop.abort();
    await listening.catch(() => {});
    assert.deepEqual(
      got.map(({ body }) => JSON.parse(body)).map(({ type, data }) => [type, data.details.name]),
      [
        ['page.created', 'One'],
        ['page.created', 'Two'],
      ],
    );
    for (const { headers, body } of got) {
      const at = Number(headers['webhook-timestamp']) * 1000;
      const id = String(headers['webhook-id']);
      const signed = signatureHeaders({ secret, old_secret: null, old_secret_until: null }, { id, body, at });
      assert.equal(headers['webhook-signature'], signed['Webhook-Signature']);
    }
    assert.equal(reports[0], `Events go to ${target}, signed with ${secret}. Stop with Ctrl + C.`);
    assert.match(reports[1]!, /^page\.created page_\d+ \(event_\d+\): 500, \d+ ms$/);
  });

  test('webhook listen reports why the service does not answer', async () => {
    const service = `http://127.0.0.1:${await freePort()}`;
    const stop = new AbortController();
    const reports: string[] = [];
    const report = (line: string) => {
      reports.push(line);
      stop.abort();
    };
    const options = { service, key: 'x', secret: newSecret(), kinds: undefined, after: 'latest' };
    await forwardEvents(`${service}/events`, options, { report, signal: stop.signal });
    assert.match(reports.join(), /^The service did not answer; trying again: .*ECONNREFUSED/);
  });

  test('webhook listen reports missing settings and a refused key', async (t) => {
    const { service } = await startWithAccount(t, open);
    const origin = `http://127.0.0.1:${service.port}`;
    const command = ['webhook', 'listen', 'http://localhost:1/events', '--service', origin];
    const keyless = await runCliIn({}, ...command);
    assert.deepEqual([keyless.code, /^API_KEY is not set\./.test(keyless.error)], [1, true]);
    const refused = await runCliIn({ API_KEY: 'fh_wrong' }, ...command);
    assert.deepEqual(
      [refused.code, /The service refused the request: Invalid API key\.\n$/.test(refused.error)],
      [1, true],
    );
    const other = await runCliIn({ API_KEY: 'x' }, ...command, '--kinds', 'page,moon');
    assert.match(other.error, /--kinds has "moon"/);
    const nowhere = await runCliIn({ API_KEY: 'x' }, 'webhook', 'listen', 'here', '--service', origin);
    assert.match(nowhere.error, /^URL must be an address/);
  });
});
