import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { readConfig } from '../config.ts';
import { Content } from './content.ts';
import type { Answer, Exchange } from './exchange.ts';
import { createServer } from './server.ts';
import { streamed } from './streamed.ts';

const plain = (status: number, body: string): Answer => ({
  status,
  headers: ['Content-Length', String(body.length)],
  body,
});

for (const [name, headers, answerOf] of [
  ['an answer', '', (source: PassThrough) => ({ ...plain(200, ''), headers: [], body: streamed(source, 9) })],
  [
    'a compressed answer',
    'Accept-Encoding: gzip\r\n',
    (source: PassThrough, exchange: Exchange) => new Content(streamed(source, 9), [], 'W/"1"').answer(exchange),
  ],
] as const) {
  test(`where ${name} comes when its client has gone, what it is read from is closed, and it is told of`, async (t) => {
    const source = new PassThrough();
    const here = Promise.withResolvers<void>();
    const { port, answered } = await serve(t, async (exchange) => {
      here.resolve();
      await closing(exchange.request.socket);
      return answerOf(source, exchange);
    });
    const client = connect(port, '127.0.0.1');
    client.write(`GET / HTTP/1.1\r\nHost: a\r\n${headers}\r\n`);
    await here.promise;
    client.resetAndDestroy();
    await Promise.all([closing(source), answered]);
  });
}

test('a request whose client has gone before anybody could look where it came from is dropped', async (t) => {
  const seen: string[] = [];
  const { server, port } = await serve(t, ({ path, ip }) => {
    seen.push(`${path} from ${ip}`);
    return plain(200, 'right');
  });
  for (const request of [
    'GET /get HTTP/1.1\r\nHost: a\r\n\r\n',
    'POST /post HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nname=Home',
  ]) {
    const client = connect(port, '127.0.0.1');
    // It has come whole, and its turn is not yet.
    server.once('request', () => client.resetAndDestroy());
    client.write(request);
    const [peer] = await once(server, 'connection');
    await closing(peer);
  }
  assert.deepEqual(seen, []);
  const client = connect(port, '127.0.0.1');
  client.write('GET /still HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  assert.match(await text(client as Socket), /^HTTP\/1\.1 200 /);
  assert.deepEqual(seen, ['/still from 127.0.0.1']);
});

test('an answer that cannot be sent is a failure of its own, and those that come with it are sent', async (t) => {
  const { port } = await serve(t, ({ path }) =>
    path === '/bad' ? { status: 200, headers: ['Location', '/\u0100'], body: '' } : plain(200, 'right'),
  );
  const client = connect(port, '127.0.0.1');
  const request = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
  client.write(request('/bad') + request('/', 'Connection: close\r\n'));
  const answers = await text(client as Socket);
  assert.match(
    answers,
    /^HTTP\/1\.1 500 Internal Server Error[\s\S]*\r\n\r\nfailedHTTP\/1\.1 200 [\s\S]*\r\n\r\nright$/,
  );
});

async function serve(t: TestContext, surface: (exchange: Exchange) => Answer | Promise<Answer>) {
  const answered = Promise.withResolvers<void>();
  const server: Server = createServer({
    config: readConfig({}),
    surface,
    failureOf: () => plain(500, 'failed'),
    failure: (status) => plain(status, ''),
    onAnswered: () => answered.resolve(),
    onRefused: () => {},
  });
  server.listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port, answered: answered.promise };
}

/** However it comes about. */
function closing(stream: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve) => stream.on('close', resolve));
}
