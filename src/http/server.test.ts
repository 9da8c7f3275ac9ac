import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { readConfig } from '../config.ts';
import { strangerHolderFinder } from '../tenancy/holder.ts';
import { withBody } from './body.ts';
import { Content } from './content.ts';
import type { HttpResponse, RequestContext } from './request-context.ts';
import { createServer, reloadCertificate } from './server.ts';
import { streamed } from './streamed.ts';

const plain = (status: number, body: string): HttpResponse => ({
  status,
  headers: ['Content-Length', String(body.length)],
  body,
});

for (const [name, headers, answerOf] of [
  ['an answer', '', (source: PassThrough) => ({ ...plain(200, ''), headers: [], body: streamed(source, 9) })],
  [
    'a compressed answer',
    'Accept-Encoding: gzip\r\n',
    (source: PassThrough, ctx: RequestContext) => new Content(streamed(source, 9), [], 'W/"1"').answer(ctx),
  ],
] as const) {
  test(`when a client disconnects before ${name} is ready, its source is closed and the answer reported`, async (t) => {
    const source = new PassThrough();
    const here = Promise.withResolvers<void>();
    const { port, answered } = await serve(t, async (ctx) => {
      here.resolve();
      await closing(ctx.request.socket);
      return answerOf(source, ctx);
    });
    const client = connect(port, '127.0.0.1');
    client.write(`GET / HTTP/1.1\r\nHost: a\r\n${headers}\r\n`);
    await here.promise;
    client.resetAndDestroy();
    await Promise.all([closing(source), answered]);
  });
}

test('the address of a client is known even if it disconnects before its request is handled', async (t) => {
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
    // The request has arrived completely, but is not handled yet.
    server.once('request', () => client.resetAndDestroy());
    client.write(request);
    const [peer] = await once(server, 'connection');
    await closing(peer);
  }
  const gone = ['/get from 127.0.0.1', '/post from 127.0.0.1'];
  assert.deepEqual(seen, gone);
  const client = connect(port, '127.0.0.1');
  client.write('GET /still HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  assert.match(await text(client as Socket), /^HTTP\/1\.1 200 /);
  assert.deepEqual(seen, [...gone, '/still from 127.0.0.1']);
});

test('a certificate file that does not exist is named', () => {
  const config = readConfig({ TLS_CERT: '/nonexistent.pem', TLS_KEY: '/nonexistent.pem' });
  assert.throws(() => reloadCertificate({} as Server, config), {
    message: 'TLS_CERT and TLS_KEY cannot be used: "/nonexistent.pem" does not exist.',
  });
});

test('an answer that cannot be sent becomes a 500, and the other answers of its batch are sent', async (t) => {
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

test('a URL of more than 32 KB is refused before the handler, unless the route allows long URLs', async (t) => {
  const seen: string[] = [];
  const { port } = await serve(t, ({ request, path, query }) => {
    seen.push(`${request.method} ${path} ${query.length}`);
    return plain(200, '');
  });
  const MAX = 32 * 1024;
  const LONG = 2 ** 20 + 2 ** 16;
  const statusOf = async (method: string, target: string, headers = '') => {
    const client = connect(port, '127.0.0.1');
    client.write(`${method} ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n`);
    return Number((await text(client as Socket)).slice(9, 12));
  };
  const padded = (start: string, size: number) => start + 'a'.repeat(size - start.length);
  for (const start of ['/', '/?', '/long?', 'http://a/?', 'http://a']) {
    assert.equal(await statusOf('GET', padded(start, MAX + 1)), 414, start);
    assert.equal(await statusOf('POST', padded(start, 2 ** 20)), 414, start);
  }
  assert.deepEqual(seen, []);
  assert.equal(await statusOf('GET', padded('/?', MAX)), 200);
  assert.equal(await statusOf('PUT', padded('/long?', 2 ** 20)), 200);
  assert.equal(await statusOf('PUT', padded('http://a/long?', 2 ** 20)), 200);
  assert.equal(await statusOf('PUT', padded('/long?', LONG)), 200);
  assert.equal(await statusOf('PUT', padded('/long?', LONG + 1)), 414);
  assert.deepEqual(seen, [
    `GET / ${MAX - 2}`,
    `PUT /long ${2 ** 20 - 6}`,
    `PUT /long ${2 ** 20 - 14}`,
    `PUT /long ${LONG - 6}`,
  ]);
});

test('the answer to a request with a long head or a chunked body ends the connection', async (t) => {
  const { port } = await serve(t, () => plain(200, 'right'));
  const length = 8 * 1024;
  for (const [isLast, request] of [
    [false, `GET / HTTP/1.1\r\nHost: a\r\nB: ${'b'.repeat(length - 20)}\r\n\r\n`],
    [true, `GET / HTTP/1.1\r\nHost: a\r\nB: ${'b'.repeat(length)}\r\n\r\n`],
    [true, `GET /${'a'.repeat(length)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    [true, 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    [false, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\na'],
  ] as const) {
    const client = connect(port, '127.0.0.1');
    client.write(request);
    const [head] = await once(client, 'data');
    assert.equal(/^Connection: close$/im.test(String(head)), isLast, request.slice(0, 20));
    client.destroy();
  }
});

test('a client that has not sent all of its large body is answered at once', { timeout: 60_000 }, async (t) => {
  const { port } = await serve(t, () => plain(401, 'wrong'));
  for (const method of ['GET', 'HEAD', 'POST']) {
    const client = connect(port, '127.0.0.1');
    client.write(`${method} / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nabc`);
    const [head] = await once(client, 'data', { signal: t.signal });
    assert.match(String(head), /^HTTP\/1\.1 401 /, method);
    client.destroy();
  }
});

test('a closed connection frees the memory of its unfinished request', { timeout: 60_000 }, async (t) => {
  const { server, port } = await serve(t, () => plain(200, 'right'));
  const peers: Socket[] = [];
  server.on('connection', (peer) => peers.push(peer));
  const megabytes = () => process.memoryUsage().rss / 2 ** 20;
  const before = megabytes();
  const head = Buffer.from(`PUT /long?${'a'.repeat(2 ** 20)}`);
  const clients = Array.from({ length: 300 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  for (const client of clients) client.write(head);
  // Beyond 64 MB the service itself closes connections.
  const isDone = ({ destroyed, bytesRead }: Socket) => destroyed || bytesRead >= head.length;
  while (peers.length < clients.length || !peers.every(isDone)) {
    t.signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const client of clients) client.destroy();
  await Promise.all(peers.filter(({ closed }) => !closed).map(closing));
  await new Promise(setImmediate);
  // If the memory were not freed, it would be 200 MB and more.
  assert.ok(megabytes() - before < 160, `${megabytes() - before} MB`);
});

test('pipelined requests are handled one by one, and the connection is not read meanwhile', async (t) => {
  const started: string[] = [];
  const firstMayEnd = Promise.withResolvers<void>();
  const { server, port } = await serve(t, async ({ path }) => {
    started.push(path);
    if (path === '/1') await firstMayEnd.promise;
    return plain(200, path);
  });
  const client = connect(port, '127.0.0.1');
  const [peer] = await once(server, 'connection');
  const paused = once(peer, 'pause');
  const request = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
  client.write(request('/1') + request('/2') + request('/3'));
  await paused;
  // Another connection is served meanwhile.
  const other = connect(port, '127.0.0.1');
  other.write(request('/other', 'Connection: close\r\n'));
  assert.match(await text(other as Socket), /\/other$/);
  assert.deepEqual(started, ['/1', '/other']);
  client.write(request('/4', 'Connection: close\r\n'));
  firstMayEnd.resolve();
  const answers = await text(client as Socket);
  assert.deepEqual(answers.match(/\/\d(?=HTTP|$)/g), ['/1', '/2', '/3', '/4']);
  assert.deepEqual(started, ['/1', '/other', '/2', '/3', '/4']);
});

test('a connection with more than a thousand pipelined requests is closed', async (t) => {
  const { port } = await serve(t, () => new Promise(() => {}));
  const client = connect(port, '127.0.0.1');
  client.on('error', () => {});
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1100));
  await closing(client);
});

test('100 Continue is sent when the body is about to be read, and not if the request is refused', async (t) => {
  const { port } = await serve(t, async ({ path, request }) => {
    if (path === '/no') return plain(401, 'no');
    return withBody(request, { limit: 10, findHolder: strangerHolderFinder('') }, (bytes) => plain(200, String(bytes)));
  });
  const send = async (path: string, size: number, body: string, expectation = '100-Continue') => {
    const client = connect(port, '127.0.0.1');
    const close = `Content-Length: ${size}\r\nConnection: close\r\n`;
    client.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nExpect: ${expectation}\r\n${close}\r\n`);
    let answers = '';
    for await (const chunk of client) {
      answers += chunk;
      if (/^HTTP\/1\.1 100 Continue\r\n\r\n$/.test(answers)) client.write(body);
      else if (/\r\n\r\n\w+$/.test(answers)) break;
    }
    return answers.match(/(?<=HTTP\/1\.1 )\d+/g)?.join(' ');
  };
  assert.equal(await send('/', 4, 'body'), '100 200');
  assert.equal(await send('/', 11, ''), '500');
  assert.equal(await send('/no', 4, ''), '401');
  assert.equal(await send('/', 4, '', 'the-unexpected'), '417');
});

test('of the requests with long URLs, each turn of the event loop answers only one', async (t) => {
  let [inThisTurn, most, asked] = [0, 0, 0];
  const { server, port } = await serve(t, () => {
    asked += 1;
    inThisTurn += 1;
    most = Math.max(most, inThisTurn);
    setImmediate(() => {
      inThisTurn = 0;
    });
    return plain(200, 'right');
  });
  const clients: Socket[] = [];
  for (let count = 0; count < 8; count++) {
    const accepted = once(server, 'connection');
    clients.push(connect(port, '127.0.0.1'));
    await accepted;
  }
  const request = `PUT /long?${'a'.repeat(60_000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
  for (const client of clients) client.write(request);
  await Promise.all(clients.map((client) => text(client)));
  assert.equal(asked, 8);
  assert.equal(most, 1);
});

async function serve(t: TestContext, handler: (ctx: RequestContext) => HttpResponse | Promise<HttpResponse>) {
  const answered = Promise.withResolvers<void>();
  const server: Server = createServer({
    findHolder: strangerHolderFinder(''),
    config: readConfig({}),
    mayHaveLongUrl: ({ method }, path) => method === 'PUT' && path === '/long',
    handler,
    failureOf: () => plain(500, 'failed'),
    failure: (status) => plain(status, 'refused'),
    onAnswered: () => answered.resolve(),
    onRefused: () => {},
    isStopping: () => false,
  });
  server.listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port, answered: answered.promise };
}

/** Resolves when the stream closes, for whatever reason. */
function closing(stream: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve) => stream.on('close', resolve));
}
