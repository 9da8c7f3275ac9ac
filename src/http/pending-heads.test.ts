import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer as createNetServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { excessHeads, trackPendingHeads } from './pending-heads.ts';

/** Idle connections stay open: a loaded machine may keep the client from using them for longer than Node's five seconds. */
const longHeads = { maxHeaderSize: 4 * 1024 * 1024, keepAliveTimeout: 0 };

test('the network that holds most loses its largest request heads until the rest fits', () => {
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
  test(`${name} that never end are dropped where they hold too much, and those that end are not`, async (t) => {
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
    // More than may be held, but all of it is in requests that are there.
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
    // Paused ones are read from slowly: there are enough of them without.
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

test('a long head is read from once in a while, and answered when it is there', { timeout: 60_000 }, async (t) => {
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
  // A short one does not wait.
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

test('of many new connections few are read from in one turn of the event loop, and all in the end', async (t) => {
  const heads = trackPendingHeads(() => {});
  const sockets: Socket[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    heads.requested(request);
    response.end('done');
  });
  server.on('connection', (socket: Socket) => {
    sockets.push(socket);
    heads.opened(socket, `network ${sockets.length % 3}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    heads.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const clients = Array.from({ length: 100 }, () => connect(port, '127.0.0.1'));
  const answered = Promise.all(clients.map((client) => once(client, 'data')));
  for (const client of clients) client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  let [read, most] = [0, 0];
  while (read < clients.length) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = sockets.filter(({ bytesRead }) => bytesRead > 0).length;
    most = Math.max(most, now - read);
    read = now;
  }
  await answered;
  for (const client of clients) client.destroy();
  // Those of this turn, and those that the one before has let in.
  assert.ok(most <= 16, `${most} at once`);
});

test('of new connections one is read from in one turn of the event loop once one has brought a long head', async (t) => {
  // No time passes: a second is not over before the second wave of connections.
  t.mock.method(performance, 'now', () => 0);
  const heads = trackPendingHeads(() => {});
  const server = createServer(longHeads, (request: IncomingMessage, response) => {
    heads.requested(request);
    response.end('done');
  });
  const sockets: Socket[] = [];
  const clients: Socket[] = [];
  t.after(() => {
    heads.close();
    for (const client of clients) client.destroy();
    server.closeAllConnections();
    server.close();
  });
  server.on('connection', (socket: Socket) => heads.opened(socket, 'somebody'));
  // Accepts the connections, and leaves what they send to the kernel.
  const doorman = createNetServer({ pauseOnConnect: true }, (socket) => sockets.push(socket));
  t.after(() => doorman.close());
  doorman.listen(0, '127.0.0.1');
  await once(doorman, 'listening');
  const { port } = doorman.address() as AddressInfo;
  const request = `GET /${'a'.repeat(200 * 1024)} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const readInTurns = async (readAtOnce: number) => {
    const wave: Socket[] = [];
    for (let count = 0; count < 40; count++) {
      const client = connect(port, '127.0.0.1');
      wave.push(client);
      await new Promise((resolve) => client.write(request, resolve));
    }
    clients.push(...wave);
    while (sockets.length < clients.length) await once(doorman, 'connection');
    const accepted = sockets.slice(-wave.length);
    const answered = Promise.all(wave.map((client) => once(client, 'data')));
    for (const [index, socket] of accepted.entries()) {
      server.emit('connection', socket);
      if (index < readAtOnce) socket.resume();
    }
    const readInTurn: number[] = [];
    let read = 0;
    while (read < wave.length) {
      await new Promise((resolve) => setImmediate(resolve));
      const now = accepted.filter(({ bytesRead }) => bytesRead > 0).length;
      if (now > read) readInTurn.push(now - read);
      read = now;
    }
    await answered;
    return readInTurn;
  };
  for (const readAtOnce of [8, 1]) {
    const [first = 0, ...others] = await readInTurns(readAtOnce);
    // Those of the first turn, and those that were let in before they had been read.
    assert.ok(first <= 2 * readAtOnce, `${first} at first`);
    assert.deepEqual(new Set(others), new Set([1]));
  }
});
