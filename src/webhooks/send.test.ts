import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { sender } from './send.ts';

test('a response that switches protocols ends the attempt, and counts as a failure', async (t) => {
  const send = await sending(t, (socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n');
  });
  const { status, error } = await send();
  assert.deepEqual([status, error], [101, null]);
});

test('an attempt ends if the receiver sends too many interim responses', async (t) => {
  const send = await sending(t, (socket) => {
    const hints = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(20);
    const go = () => socket.writable && socket.write(hints, go);
    go();
  });
  const { status, error } = await send();
  assert.deepEqual([status, error], [null, 'The address cannot be reached: it sent too many interim responses']);
});

test('a connection that closes without a response ends the attempt', async (t) => {
  const send = await sending(t, (socket) => void socket.end());
  const { status, error } = await send();
  assert.equal(status, null);
  assert.match(error!, /^The address cannot be reached/);
});

for (const [what, beginning] of [
  ['nothing', ''],
  ['a part of its answer', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nPart'],
] as const) {
  test(`an attempt at a receiver that sends ${what} in time ends as unanswered`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const send = await sending(t, (socket) => {
      if (beginning !== '') socket.write(beginning);
      t.mock.timers.tick(15_000);
    });
    const { status, error } = await send();
    assert.deepEqual([status, error], [null, 'There was no answer within 15 seconds.']);
  });
}

async function sending(t: TestContext, answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', () => answer(socket));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const stop = new AbortController();
  t.after(() => {
    stop.abort();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const send = sender({ dnsServers: [], webhooksToPrivateNetworks: true }, stop.signal);
  return () => send(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {}, '{}');
}
