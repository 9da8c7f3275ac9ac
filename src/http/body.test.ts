import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { AppError } from '../errors.ts';
import { strangerHolderFinder } from '../tenancy/holder.ts';
import { withBody } from './body.ts';

const LIMIT = 20 * 1024 * 1024;

/** The buffer that all bodies are taken from. */
const zeros = Buffer.alloc(LIMIT + 1);

test('a large body is read only when the memory budget has room, a small one at once', async (t) => {
  const { send, received, bytesRead } = await startReader(t);
  const unfinished = Array.from({ length: 3 }, () => send(LIMIT - 1, LIMIT));
  await received(3 * (LIMIT - 1));
  const waiting = [send(LIMIT, LIMIT), send(LIMIT, undefined)];
  assert.equal(await send(1000, 1000).outcome, 1000);
  for (const { path } of waiting) assert.ok(bytesRead(path) < 1_000_000, 'more than Node reads ahead was read');
  for (const { hangUp } of unfinished) hangUp();
  for (const { outcome } of unfinished) assert.equal(await outcome, 'malformed');
  for (const { outcome } of waiting) assert.equal(await outcome, LIMIT);
});

test('one account cannot take up the whole memory budget: others can send large bodies meanwhile', async (t) => {
  const { send, received, bytesRead } = await startReader(t);
  const first = send(LIMIT - 1, LIMIT, 1);
  await received(LIMIT - 1);
  const second = send(LIMIT, LIMIT, 1);
  assert.equal(await send(LIMIT, LIMIT, 2).outcome, LIMIT);
  assert.ok(bytesRead(second.path) < 1_000_000);
  first.hangUp();
  assert.equal(await first.outcome, 'malformed');
  assert.equal(await second.outcome, LIMIT);
});

test('the customers of one account share its part of the memory budget, and others can send large bodies', async (t) => {
  const { send, received } = await startReader(t);
  const unfinished = ['1.2', '1.3', '1.4'].map((key) => send(LIMIT - 1, LIMIT, key));
  await received(2 * (LIMIT - 1));
  assert.equal(await send(LIMIT, undefined, '5.6').outcome, LIMIT);
  for (const { hangUp } of unfinished) hangUp();
  for (const { outcome } of unfinished) assert.equal(await outcome, 'malformed');
});

test('the accounts below one customer leave room for the other customers of the same top-level account', async (t) => {
  const { send, received, bytesRead } = await startReader(t);
  const unfinished = send(LIMIT - 1, LIMIT, '1.2');
  await received(LIMIT - 1);
  const waiting = send(LIMIT, LIMIT, '1.2');
  assert.equal(await send(LIMIT, undefined, '1.3').outcome, LIMIT);
  assert.ok(bytesRead(waiting.path) < 1_000_000);
  unfinished.hangUp();
  assert.equal(await unfinished.outcome, 'malformed');
  assert.equal(await waiting.outcome, LIMIT);
});

test('all of 64 bodies of 16 MB that one account sends at once are read', async (t) => {
  const { send } = await startReader(t);
  const size = 16 * 1024 * 1024;
  const all = Array.from({ length: 64 }, () => send(size, size, 1));
  for (const { outcome } of all) assert.equal(await outcome, size);
});

test('a client that disconnects while its body waits for room does not hold up others', async (t) => {
  const { send, received } = await startReader(t);
  const first = send(LIMIT - 1, LIMIT, 1);
  await received(LIMIT - 1);
  const [second, third] = [send(1_000_000, LIMIT, 1), send(LIMIT, LIMIT, 1)];
  assert.equal(await send(1000, 1000).outcome, 1000);
  second.hangUp();
  first.hangUp();
  assert.equal(await second.outcome, 'malformed');
  assert.equal(await third.outcome, LIMIT);
});

test('a client that announces a large body and stops sending loses its room to waiting clients', async (t) => {
  const { send, received } = await startReader(t);
  const silent = Array.from({ length: 3 }, () => send(1000, LIMIT));
  await received(3000);
  t.mock.timers.tick(20_000);
  const waiting = send(LIMIT, LIMIT);
  const dropped = Promise.all(silent.map(({ outcome }) => outcome));
  let isDropped = false;
  void dropped.then(() => {
    isDropped = true;
  });
  // The waiting request starts the checks when it arrives. Until then the ticks have no effect.
  while (!isDropped) {
    t.mock.timers.tick(1000);
    await setImmediate();
  }
  assert.deepEqual(await dropped, ['unavailable', 'unavailable', 'unavailable']);
  assert.equal(await waiting.outcome, LIMIT);
});

test('a body beyond the limit is refused as too large, with and without a Content-Length', async (t) => {
  const { send } = await startReader(t);
  assert.equal(await send(LIMIT + 1, LIMIT + 1).outcome, 'too_large');
  assert.equal(await send(LIMIT + 1, undefined).outcome, 'too_large');
  assert.equal(await send(LIMIT, undefined).outcome, LIMIT);
});

test('reading a body after its client disconnected fails as malformed, even if all of it had arrived', async (t) => {
  for (const announced of [9, 10]) {
    const outcome = Promise.withResolvers<string | number>();
    const server = createServer(async (incoming) => {
      client.destroy();
      await new Promise((resolve) => incoming.socket.on('close', resolve));
      const read = withBody(incoming, { limit: LIMIT, findHolder: strangerHolderFinder('') }, (bytes) => bytes);
      outcome.resolve(
        await read.then(
          ({ length }) => length,
          (error: AppError) => error.code,
        ),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${announced}\r\n\r\nname=Home`);
    assert.equal(await outcome.promise, 'malformed');
  }
});

test('large bodies are processed one at a time in turns of top-level accounts; small ones do not wait', async (t) => {
  const large = 300 * 1024;
  const order: string[] = [];
  let [arrived, atWork, most] = [0, 0, 0];
  const holding = Promise.withResolvers<void>();
  const server = createServer(async (incoming, response) => {
    const sender = incoming.url!.slice(1);
    const [topLevelId = '', customerId = ''] = sender.split('.');
    incoming.on('end', () => {
      arrived += 1;
    });
    const findHolder = async () => ({ topLevelId, customerId });
    await withBody(incoming, { limit: LIMIT, findHolder }, async ({ length }) => {
      order.push(sender);
      if (length < large) return;
      atWork += 1;
      most = Math.max(most, atWork);
      await holding.promise;
      atWork -= 1;
    });
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const until = async (condition: () => boolean) => {
    while (!condition()) await setImmediate();
  };
  const post = async (sender: string, size: number) => {
    const before = arrived;
    const outgoing = request({ port, path: `/${sender}`, method: 'POST', agent: false }, (answer) => answer.resume());
    outgoing.end(Buffer.alloc(size));
    await until(() => arrived > before);
  };
  for (const customer of [1, 2, 3]) await post(`attacker.${customer}`, large);
  await post('neighbour', large);
  await post('other', 100);
  await until(() => order.length === 2);
  assert.deepEqual(order, ['attacker.1', 'other']);
  holding.resolve();
  await until(() => order.length === 5);
  assert.equal(most, 1);
  assert.deepEqual(order.slice(2), ['neighbour', 'attacker.2', 'attacker.3']);
});

test('bodies that wait to be processed still count towards the memory budget', async (t) => {
  const working = Promise.withResolvers<void>();
  const { send, received, bytesRead } = await startReader(t, working.promise);
  const held = Array.from({ length: 3 }, () => send(LIMIT, LIMIT));
  await received(3 * LIMIT);
  const waiting = send(LIMIT, LIMIT);
  assert.ok(bytesRead(waiting.path) < 1_000_000);
  working.resolve();
  for (const { outcome } of [...held, waiting]) assert.equal(await outcome, LIMIT);
});

/**
 * Starts a server that reads every body. The outcome of a request is the size of its body, or the code of the error. The
 * clock stands still unless a test moves it: on a busy machine a body would otherwise wait too long, or come too slowly.
 */
async function startReader(t: TestContext, working: Promise<void> = Promise.resolve()) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] });
  const outcomes = new Map<string, PromiseWithResolvers<string | number>>();
  const sockets = new Map<string, Socket>();
  const server = createServer(async (incoming, response) => {
    sockets.set(incoming.url!, incoming.socket);
    const [, sender = ''] = incoming.url!.split('/');
    const [topLevelId = '', customerId = topLevelId] = sender.split('.');
    const findHolder = async () => ({ topLevelId, customerId });
    const outcome = await withBody(incoming, { limit: LIMIT, findHolder }, async ({ length }) => {
      await working;
      return length;
    }).catch((error: AppError) => error.code);
    outcomes.get(incoming.url!)!.resolve(outcome);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;

  /**
   * Sends `size` bytes, and `announced` as the Content-Length. The sender "1.2" is an account below customer 2 of top-level
   * account 1.
   */
  const send = (size: number, announced: number | undefined, sender: number | string = outcomes.size) => {
    const path = `/${sender}/${outcomes.size}`;
    const outcome = Promise.withResolvers<string | number>();
    outcomes.set(path, outcome);
    const headers: Record<string, number> = announced === undefined ? {} : { 'Content-Length': announced };
    const outgoing = request({ port, path, method: 'POST', headers, agent: false }, (answer) => answer.resume());
    outgoing.on('error', () => {});
    outgoing.write(zeros.subarray(0, size));
    if (announced === undefined || announced <= size) outgoing.end();
    return { path, outcome: outcome.promise, hangUp: () => outgoing.destroy() };
  };
  /** Returns how many bytes the server has read on the connection of this request. */
  const bytesRead = (path: string) => sockets.get(path)?.bytesRead ?? 0;
  const received = async (size: number) => {
    const total = () => [...sockets.keys()].reduce((sum, path) => sum + bytesRead(path), 0);
    while (total() < size) await setImmediate();
  };
  return { send, received, bytesRead };
}
