import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { newTraceId } from '../src/trace.ts';
import { databases, makeMigratedDatabase } from '../test/databases.ts';
import { freePort } from '../test/free-port.ts';
import { openMailbox } from '../test/mailbox.ts';
import { startProgram } from './program.ts';

/** Starts a server that records what it receives: a collector of traces, or a receiver of webhooks. */
async function startReceiver(t: TestContext) {
  const received: { headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

interface SpanJson {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: { intValue?: string; stringValue?: string } }[];
}

const parent = '00f067aa0ba902b7';

for (const kind of databases) {
  test(`a new customer, its commit, mail and webhook are one trace at the collector and in the log (${kind})`, async (t) => {
    const collector = await startReceiver(t);
    const webhook = await startReceiver(t);
    const mailbox = await openMailbox(t);
    const program = await startProgram(t, await makeMigratedDatabase(t, kind), {
      SMTP_URL: mailbox.url,
      WEBHOOKS_TO_PRIVATE_NETWORKS: 'true',
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=secret%20key',
      OTEL_SERVICE_NAME: 'the sites',
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    });
    const { key, service } = program;
    const added = await service.post('/api/webhooks.json', key, { 'webhook[url]': `${webhook.url}/hook` });
    assert.equal(added.status, 200, added.text);
    const [trace, pageTrace] = [newTraceId(), newTraceId()];
    const header = (id: string) => ({ traceparent: `00-${id}-${parent}-01` });
    assert.equal((await service.createCustomer(key, {}, header(trace))).status, 200);
    assert.equal((await service.createPage(key, { name: 'News' }, header(pageTrace))).status, 200);
    await mailbox.received(1);
    for (const id of [trace, pageTrace]) {
      await program.until(({ log }) => log.some(({ msg, traceId }) => msg === 'Event sent.' && traceId === id));
    }
    await program.until(({ log }) => log.some(({ msg }) => msg === 'Mail sent.'));
    assert.equal((await program.stop()).code, 0);

    // All log lines have the id of the trace.
    const lines = program.log.filter((line) => JSON.stringify(line).includes(trace)).map(({ msg }) => msg);
    assert.deepEqual(lines.toSorted(), ['Event sent.', 'Mail sent.', 'request']);

    const resources = collector.received.flatMap(({ body }) => JSON.parse(body).resourceSpans);
    assert.ok(collector.received.every(({ headers }) => headers['x-key'] === 'secret key'));
    assert.equal(resources[0].resource.attributes[0].value.stringValue, 'the sites');
    const all: SpanJson[] = resources.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap(({ spans }: { spans: SpanJson[] }) => spans),
    );
    // A request whose client does not sample it has no spans.
    assert.deepEqual(new Set(all.map(({ traceId }) => traceId)), new Set([trace, pageTrace]));
    const spans = all.filter(({ traceId }) => traceId === trace);
    const request = spans.find(({ name }) => name === 'POST /api/customers.json')!;
    assert.deepEqual([request.parentSpanId, request.kind], [parent, 2]);
    assert.deepEqual(
      Object.fromEntries(request.attributes.map(({ key, value }) => [key, value.intValue ?? value.stringValue])),
      {
        'http.request.method': 'POST',
        'http.route': '/api/customers.json',
        'http.response.status_code': '200',
        'freehold.surface': 'api',
        'freehold.account_id': '1',
      },
    );
    for (const name of ['database commit', 'mail', 'webhook']) {
      const caused = spans.filter((span) => span.name === name);
      assert.ok(caused.length > 0, name);
      assert.ok(
        caused.every(({ parentSpanId }) => parentSpanId === request.spanId),
        name,
      );
    }
    const sent = webhook.received.map(({ headers }) => headers.traceparent);
    const [step] = spans.filter(({ name }) => name === 'webhook');
    assert.ok(sent.includes(`00-${trace}-${step!.spanId}-01`), `${sent}`);
    const ofPage = all.filter(({ traceId }) => traceId === pageTrace).map(({ name }) => name);
    for (const name of ['POST /api/pages.json', 'database commit with others', 'webhook']) {
      assert.ok(ofPage.includes(name), `${name} in ${ofPage}`);
    }
    assert.doesNotMatch(program.out, /secret key|secret%20key/);
    assert.ok(!JSON.stringify(resources).includes(key));
  });
}

test('the service works and stops normally without its collector, and logs the failure once', async (t) => {
  const program = await startProgram(t, await makeMigratedDatabase(t, 'sqlite'), {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
  });
  const { key, service } = program;
  const statuses = await Promise.all(
    Array.from({ length: 1200 }, async () => (await service.get('/api/account.json', key)).status),
  );
  assert.deepEqual(new Set(statuses), new Set([200]));
  await program.until(({ out }) => out.includes('spans cannot be sent'));
  assert.equal((await program.stop()).code, 0);
  assert.equal(program.out.split('spans cannot be sent').length, 2);
});
