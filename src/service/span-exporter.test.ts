import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import type { Span } from '../spans.ts';
import { newTraceId, Trace } from '../trace.ts';
import { SpanExporter } from './span-exporter.ts';

interface Collected {
  path: string | undefined;
  key: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads into the documents of the protocol
  document: any;
}

/** Starts a collector that answers with the statuses in turn and repeats the last one, and an exporter that sends to it. */
async function start(t: TestContext, statuses: number[]) {
  const collected: Collected[] = [];
  const server = createServer(async (request, response) => {
    collected.push({ path: request.url, key: request.headers['x-key'] as string, document: await json(request) });
    response.writeHead(statuses.length > 1 ? statuses.shift()! : statuses[0]!, { Location: '/elsewhere' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const logged: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void logged.push(line) });
  const exporter = new SpanExporter({ endpoint, headers: { 'X-Key': 'secret key' }, serviceName: 'here', log });
  t.after(() => exporter.stop());
  const spansOf = ({ document }: Collected) => document.resourceSpans[0].scopeSpans[0].spans;
  const messages = () => logged.map((line) => JSON.parse(line)).map(({ level, msg }) => [level, msg]);
  return { exporter, collected, logged, messages, spansOf };
}

function span(values: Partial<Span> = {}): Span {
  const step = new Trace(newTraceId(), { isSampled: true });
  const times = { start: 1, end: 2.5 };
  return { step, name: 'a span', kind: 'internal', ...times, attributes: {}, hasFailed: false, ...values };
}

test("spans are sent as OTLP with the collector's headers", async (t) => {
  const { exporter, collected } = await start(t, [200]);
  const parentId = '00f067aa0ba902b7';
  const step = new Trace(newTraceId(), { parentId, isSampled: true });
  exporter.record(span({ step, name: 'GET /a', kind: 'server', attributes: { n: 7, text: 'x', none: undefined } }));
  exporter.record(span({ hasFailed: true }));
  await exporter.flush();
  const [{ path, key, document }] = collected as [Collected];
  assert.deepEqual([path, key], ['/v1/traces', 'secret key']);
  const [{ resource, scopeSpans }] = document.resourceSpans;
  assert.deepEqual(resource.attributes[0], { key: 'service.name', value: { stringValue: 'here' } });
  const [first, second] = scopeSpans[0].spans;
  const { startTimeUnixNano, endTimeUnixNano, ...rest } = first;
  assert.deepEqual(rest, {
    traceId: step.id,
    spanId: step.spanId,
    parentSpanId: parentId,
    name: 'GET /a',
    kind: 2,
    attributes: [
      { key: 'n', value: { intValue: '7' } },
      { key: 'text', value: { stringValue: 'x' } },
    ],
    status: {},
  });
  assert.equal(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano), 1_500_000n);
  assert.equal(BigInt(startTimeUnixNano) / 1_000_000n, BigInt(Math.floor(performance.timeOrigin + 1)));
  assert.deepEqual([second.status, 'parentSpanId' in second], [{ code: 2 }, false]);
});

test('while the collector is unreachable, spans wait up to a limit, and the log reports it once', async (t) => {
  const { exporter, collected, messages, logged, spansOf } = await start(t, [503, 503, 200]);
  for (let count = 0; count < 3; count++) exporter.record(span());
  await exporter.flush();
  for (let count = 0; count < 10_000; count++) exporter.record(span());
  await exporter.flush();
  assert.deepEqual(messages(), [[40, 'spans cannot be sent to OTEL_EXPORTER_OTLP_ENDPOINT; some will be lost']]);
  await exporter.flush();
  const sent = collected.slice(2).map((one) => spansOf(one).length);
  assert.deepEqual(
    sent.reduce((sum, count) => sum + count),
    2048,
  );
  assert.ok(sent.every((count) => count <= 512));
  assert.deepEqual(messages().slice(1), [[30, 'spans can be sent again']]);
  assert.match(logged[1]!, /"lost":7955/);
  assert.doesNotMatch(logged.join(''), /secret|127\.0\.0\.1/);
});

test('spans that the collector refuses are not sent again, and redirects are not followed', async (t) => {
  const { exporter, collected, messages, logged } = await start(t, [400, 307, 200]);
  for (let count = 0; count < 3; count++) {
    exporter.record(span());
    await exporter.flush();
  }
  assert.equal(collected.length, 3);
  assert.deepEqual(
    messages().map(([level]) => level),
    [40, 30],
  );
  assert.match(logged[1]!, /"lost":2\b/);
});
