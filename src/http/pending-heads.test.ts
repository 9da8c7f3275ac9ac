import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { excessHeads, MAX_UNTHROTTLED_BYTES, trackPendingHeads } from './pending-heads.ts';

/**
 * Idle connections stay open: on a loaded machine the client may not use them for longer than Node's default of five
 * seconds.
 */
const longHeads = { maxHeaderSize: 4 * 1024 * 1024, keepAliveTimeout: 0 };

test('the network that holds most loses its largest request heads until the rest fits the limit', () => {
  const heads = [
    { network: 'attacker', bytes: 20 },
    { network: 'attacker', bytes: 30 },
    { network: 'attacker', bytes: 25 },
    { network: 'neighbour', bytes: 40 },
    { network: 'other', bytes: 1 },
  ];
  assert.deepEqual(excessHeads(heads, 116), []);
  assert.deepEqual(excessHeads(heads, 115), [heads[1]]);
  assert.deepEqual(excessHeads(heads, 80), [heads[1], heads[2]]);
  assert.deepEqual(excessHeads(heads, 60), [heads[1], heads[2], heads[3]]);
});

for (const [name, beginning] of [
  ['heads', 'GET /'],
  ['trailers', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nA: '],
] as const) {
  test(`unfinished ${name} that hold too much memory are dropped, and finished ones are answered`, async (t) => {
    const dropped: Socket[] = [];
    const heads = trackPendingHeads((socket) => dropped.push(socket));
    const server = createServer(longHeads, (request: IncomingMessage, response) => {
      heads.requested(request);
      request.resume().on('end', () => response.end('done'));
    });
    server.on('connection', (socket: Socket) => heads.opened(socket, String(socket.remotePort)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      heads.close();
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const open = () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      t.after(() => socket.destroy());
      return socket;
    };
    // More than the limit, but all of it in complete requests.
    const honest = open();
    let answers = '';
    honest.on('data', (data) => {
      answers += data;
    });
    for (let count = 0; count < 5; count++) {
      honest.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${16 * 2 ** 20}\r\n\r\n`);
      honest.write(Buffer.alloc(16 * 2 ** 20));
      while (answers.split('done').length <= count + 1) await once(honest, 'data');
    }
    // Paused connections are read slowly: the others alone exceed the limit.
    const request = Buffer.from(`${beginning}${'a'.repeat(3 * 1024 * 1024)}`);
    const attackers = Array.from({ length: 200 }, open);
    const gone = Promise.race(attackers.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    for (const socket of attackers) socket.write(request);
    await gone;
    assert.ok(dropped.length > 0);
    honest.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    while (answers.split('done').length <= 6) await once(honest, 'data');
  });
}

test('a long request head is read at intervals, and answered when it is complete', { timeout: 60_000 }, async (t) => {
  const heads = trackPendingHeads(() => {});
  const server = createServer(longHeads, (request: IncomingMessage, response) => {
    heads.requested(request);
    response.end('done');
  });
  let [pauses, resumptions] = [0, 0];
  server.on('connection', (socket: Socket) => {
    socket.on('pause', () => pauses++).on('resume', () => resumptions++);
    heads.opened(socket, 'somebody');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    heads.close();
    server.closeAllConnections();
    server.close();
  });
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', noDelay: true });
  t.after(() => socket.destroy());
  let answers = '';
  socket.on('data', (data) => {
    answers += data;
  });
  for (let count = 1; count <= 2; count++) {
    [pauses, resumptions] = [0, 0];
    socket.write(`GET /${'a'.repeat(1024 * 1024)}`);
    while (pauses < 3 || resumptions < 2) {
      t.signal.throwIfAborted();
      socket.write('a');
      await new Promise((resolve) => setImmediate(resolve));
    }
    socket.write(' HTTP/1.1\r\nHost: a\r\n\r\n');
    while (answers.split('done').length <= count) await once(socket, 'data');
  }
  // A short head is read without pauses.
  [pauses, resumptions] = [0, 0];
  socket.write(`GET /${'a'.repeat(1024)}`);
  for (let count = 0; count < 100; count++) {
    socket.write('a');
    await new Promise((resolve) => setImmediate(resolve));
  }
  socket.write(' HTTP/1.1\r\nHost: a\r\n\r\n');
  while (answers.split('done').length <= 3) await once(socket, 'data');
  assert.equal(pauses, 0);
});

test('a long head that uses up a turn of the event loop is not read again before its interval', async (t) => {
  // Without a timer, no interval ends.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { sockets, connectAll } = await startServer(t);
  const clients = await connectAll(40);
  const early: number[] = [];
  for (const socket of sockets) {
    socket.on('resume', () => {
      if (socket.bytesRead > MAX_UNTHROTTLED_BYTES) early.push(socket.bytesRead);
    });
  }
  for (const client of clients) client.write(`GET /${'a'.repeat(2 * 1024 * 1024)}`);
  await readInTurns(sockets);
  // The connection that was read last would be resumed in the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(early, []);
});

/** Starts a server that tracks pending heads, and answers each request when its body has arrived. */
async function startServer(t: TestContext) {
  const heads = trackPendingHeads(() => {});
  const server = createServer(longHeads, (request: IncomingMessage, response) => {
    heads.requested(request);
    request.resume().on('end', () => response.end('done'));
  });
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    sockets.push(socket);
    heads.opened(socket, `network ${sockets.length % 3}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const clients: Socket[] = [];
  t.after(() => {
    heads.close();
    for (const client of clients) client.destroy();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  /** Connects `count` clients, and waits until the server has accepted them all. */
  const connectAll = async (count: number) => {
    const accepted = sockets.length + count;
    const connected = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1', noDelay: true }));
    clients.push(...connected);
    await Promise.all(connected.map((client) => once(client, 'connect')));
    while (sockets.length < accepted) await once(server, 'connection');
    return connected;
  };
  return { sockets, connectAll };
}

/** Returns how many bytes were read in each turn of the event loop, until every connection has been read from. */
async function readInTurns(sockets: readonly Socket[]): Promise<number[]> {
  const read = () => sockets.map(({ bytesRead }) => bytesRead);
  const before = read();
  const turns: number[] = [];
  for (let last = before; last.some((bytes, index) => bytes === before[index]); ) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = read();
    turns.push(now.reduce((sum, bytes, index) => sum + bytes - last[index]!, 0));
    last = now;
  }
  return turns;
}

async function answersTo(clients: readonly Socket[], request: string): Promise<void> {
  const answered = Promise.all(clients.map((client) => once(client, 'data')));
  for (const client of clients) client.write(request);
  await answered;
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const LONG_GET = GET.replace('/', `/${'a'.repeat(200 * 1024)}`);
const POST = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${200 * 1024}\r\n\r\n`;
const CHUNKED = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
/** The limit for one turn, and room for what the last connection may bring. */
const MAX_READ_IN_TURN = 1024 * 1024 + 256 * 1024;

const countPauses = (sockets: readonly Socket[]) => {
  const count = { pauses: 0 };
  for (const socket of sockets) socket.on('pause', () => count.pauses++);
  return count;
};

for (const [name, request] of [
  ['long heads', LONG_GET],
  ['bodies', `${POST}${'a'.repeat(200 * 1024)}`],
] as const) {
  test(`when many connections send ${name} at once, each turn of the event loop reads about 1 MB`, async (t) => {
    const { sockets, connectAll } = await startServer(t);
    const clients = await connectAll(40);
    const answered = answersTo(clients, request);
    assert.ok(Math.max(...(await readInTurns(sockets))) <= MAX_READ_IN_TURN);
    await answered;
  });
}

for (const [name, head, rest] of [
  ['known length', POST, 'a'.repeat(200 * 1024)],
  ['chunks', CHUNKED, `${`ffff\r\n${'a'.repeat(0xffff)}\r\n`.repeat(3)}0\r\n\r\n`],
] as const) {
  test(`when many bodies of ${name} arrive at once, each turn of the event loop reads about 1 MB`, async (t) => {
    const { sockets, connectAll } = await startServer(t);
    const clients = await connectAll(40);
    for (const client of clients) client.write(head);
    await readInTurns(sockets);
    const answered = answersTo(clients, rest);
    assert.ok(Math.max(...(await readInTurns(sockets))) <= MAX_READ_IN_TURN);
    await answered;
  });
}

test('many idle connections that send short requests at once do not wait for each other', async (t) => {
  const { sockets, connectAll } = await startServer(t);
  const clients = await connectAll(100);
  const count = countPauses(sockets);
  await answersTo(clients, GET);
  assert.equal(count.pauses, 0);
});

test('idle connections that become active are read in turns, and busy ones at once', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const { sockets, connectAll } = await startServer(t);
  const quiet = await connectAll(40);
  await answersTo(quiet, GET);
  now += 10_000;
  const busy = await connectAll(1);
  await answersTo(busy, GET);
  const count = countPauses(sockets.slice(-1));
  const answered = Promise.all([answersTo(quiet, LONG_GET), answersTo(busy, GET)]);
  assert.ok(Math.max(...(await readInTurns(sockets.slice(0, -1)))) <= MAX_READ_IN_TURN);
  await answered;
  assert.equal(count.pauses, 0);
});
