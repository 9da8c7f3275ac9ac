import assert from 'node:assert/strict';
import { BlockList, Socket } from 'node:net';
import { test } from 'node:test';
import { connectionLimit } from './connection-limit.ts';

const trustProxy = new BlockList();
trustProxy.addAddress('192.0.2.9');

function socketFrom(remoteAddress: string): Socket {
  return Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
}

test('an address or IPv6 network has a limited number of connections; trusted proxies and this machine do not', () => {
  const mayStay = connectionLimit({ connectionsPerAddress: 4, workers: 2, trustProxy });
  const sockets = ['192.0.2.1', '192.0.2.1', '192.0.2.1'].map(socketFrom);
  assert.deepEqual(sockets.map(mayStay), [true, true, false]);
  assert.deepEqual(['192.0.2.2', '::ffff:192.0.2.2', '::ffff:192.0.2.2'].map(socketFrom).map(mayStay), [
    true,
    true,
    false,
  ]);
  assert.deepEqual(['2001:db8::1', '2001:db8::2', '2001:db8::3'].map(socketFrom).map(mayStay), [true, true, false]);
  for (const address of ['192.0.2.9', '127.0.0.1', '::1']) {
    assert.deepEqual(
      [1, 2, 3].map(() => mayStay(socketFrom(address))),
      [true, true, true],
      address,
    );
  }
  sockets[0]!.emit('close');
  assert.deepEqual(
    [1, 2].map(() => mayStay(socketFrom('192.0.2.1'))),
    [true, false],
  );
});

test('without a limit, an address may have any number of connections', () => {
  const mayStay = connectionLimit({ connectionsPerAddress: 0, workers: 1, trustProxy: undefined });
  assert.deepEqual(
    [1, 2, 3].map(() => mayStay(socketFrom('192.0.2.1'))),
    [true, true, true],
  );
});
