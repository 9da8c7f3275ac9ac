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

/** All bodies are parts of this. */
const zeros = Buffer.alloc(LIMIT + 1);

test('concurrent bodies are bounded: a large body is read only once there is room, a small one at once', async (t) => {
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

test('nobody takes up all of the room: others send large bodies meanwhile', async (t) => {
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

test('accounts have no more room together than their seller has: others send large bodies meanwhile', async (t) => {
  const { send, received } = await startReader(t);
  const unfinished = ['1.2', '1.3', '1.4'].map((key) => send(LIMIT - 1, LIMIT, key));
  await received(2 * (LIMIT - 1));
  assert.equal(await send(LIMIT, undefined, '5.6').outcome, LIMIT);
  for (const { hangUp } of unfinished) hangUp();
  for (const { outcome } of unfinished) assert.equal(await outcome, 'malformed');
});

test('the accounts below a customer leave room to the other customers of their seller', async (t) => {
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

test('64 bodies of 16 MB that one account sends at once are all read', async (t) => {
  const { send } = await startReader(t);
  const size = 16 * 1024 * 1024;
  const all = Array.from({ length: 64 }, () => send(size, size, 1));
  for (const { outcome } of all) assert.equal(await outcome, size);
});

test('who goes away while a body waits for room makes no difference to others', async (t) => {
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

test('a client that announces a large body and sends nothing loses its room to waiting ones', async (t) => {
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
  // The waiting request starts the checks when it has arrived: until then the ticks find nothing to do.
  while (!isDropped) {
    t.mock.timers.tick(1000);
    await setImmediate();
  }
  assert.deepEqual(await dropped, ['unavailable', 'unavailable', 'unavailable']);
  assert.equal(await waiting.outcome, LIMIT);
});

test('a body beyond the limit is too large, announced or not', async (t) => {
  const { send } = await startReader(t);
  assert.equal(await send(LIMIT + 1, LIMIT + 1).outcome, 'too_large');
  assert.equal(await send(LIMIT + 1, undefined).outcome, 'too_large');
  assert.equal(await send(LIMIT, undefined).outcome, LIMIT);
});

test('a body whose client went away before anybody read it has broken off, whether it had come whole or not', async (t) => {
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

test('one large body is worked on at a time, and top-level accounts take turns; small ones do not wait', async (t) => {
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

test('bodies that wait for their turn still count towards the budget', async (t) => {
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
 * A server that reads every body. The outcome of one is its size, or the code of what was wrong with it. No time passes unless the
 * test says so: on a busy machine a body would wait too long, or come too slowly.
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
   * Sends so many bytes; `announced` is what the client says it will send. The sender "1.2" is an account below customer 2 of top-level
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
  /** What the server has read on the connection of that request. */
  const bytesRead = (path: string) => sockets.get(path)?.bytesRead ?? 0;
  const received = async (size: number) => {
    const total = () => [...sockets.keys()].reduce((sum, path) => sum + bytesRead(path), 0);
    while (total() < size) await setImmediate();
  };
  return { send, received, bytesRead };
}
