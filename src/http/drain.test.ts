import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { drain } from './drain.ts';

test('unwanted bodies are read to their end one at a time, even if another client disconnects', async (t) => {
  const size = 3 * 1024 * 1024;
  const incoming: IncomingMessage[] = [];
  let [read, most] = [0, 0];
  const server = createServer((one, response) => {
    incoming.push(one);
    one.on('data', ({ length }) => {
      read += length;
      most = Math.max(most, incoming.filter((other) => other.readableFlowing && !other.closed).length);
    });
    drain(one);
    one.once('close', () => response.end('done'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const send = (length: number) => {
    const outgoing = request({ port, method: 'POST', agent: false, headers: { 'Content-Length': size } });
    outgoing.on('error', () => {});
    outgoing.write(Buffer.alloc(length));
    if (length === size) outgoing.end();
    return outgoing;
  };
  const stalled = send(1000);
  const answers = Promise.all([1, 2, 3, 4].map(async () => once(send(size), 'response')));
  const leaving = send(1000);
  leaving.destroy();
  for (const [answer] of (await answers) as [IncomingMessage][]) answer.resume();
  stalled.destroy();
  assert.ok(read >= 4 * size);
  assert.equal(most, 1);
});

test('beyond 128 unwanted bodies, further ones are not read and their connections are closed', async (t) => {
  const server = createServer((one) => drain(one));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clients = Array.from({ length: 140 }, () => {
    const client = connect(port, '127.0.0.1');
    client.on('error', () => {});
    client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nx');
    return client;
  });
  t.after(() => {
    for (const client of clients) client.destroy();
    server.close();
  });
  const closed = Promise.withResolvers<void>();
  let count = 0;
  for (const client of clients) {
    client.once('close', () => {
      count += 1;
      if (count === 12) closed.resolve();
    });
  }
  await closed.promise;
  await new Promise(setImmediate);
  assert.equal(clients.filter((client) => !client.closed).length, 128);
});
