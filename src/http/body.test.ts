import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { AppError } from '../errors.ts';
import { readBody } from './body.ts';

const LIMIT = 20 * 1024 * 1024;

test('what many send at once is bounded; small bodies are read all the same, and large ones once there is room', async (t) => {
  const { send, received } = await startReader(t);
  const unfinished = Array.from({ length: 6 }, () => send(LIMIT - 1, LIMIT));
  await received(6 * (LIMIT - 1));
  assert.equal(await send(LIMIT, LIMIT).outcome, 'unavailable');
  assert.equal(await send(1000, 1000).outcome, 1000);
  for (const { hangUp } of unfinished) hangUp();
  for (const { outcome } of unfinished) assert.equal(await outcome, 'malformed');
  assert.equal(await send(LIMIT, LIMIT).outcome, LIMIT);
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
      const read = readBody(incoming, LIMIT);
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

/** A server that reads every body. The outcome of one is its size, or the code of what was wrong with it. */
async function startReader(t: TestContext) {
  const outcomes = new Map<string, PromiseWithResolvers<string | number>>();
  let total = 0;
  let more = Promise.withResolvers<void>();
  const server = createServer(async (incoming, response) => {
    incoming.on('data', (chunk: Buffer) => {
      total += chunk.length;
      more.resolve();
      more = Promise.withResolvers();
    });
    const outcome = await readBody(incoming, LIMIT).then(
      (body) => body.length,
      (error: AppError) => error.code,
    );
    outcomes.get(incoming.url!)!.resolve(outcome);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;

  /** Sends so many bytes; `announced` is what the client says it will send. */
  const send = (size: number, announced: number | undefined) => {
    const path = `/${outcomes.size}`;
    const outcome = Promise.withResolvers<string | number>();
    outcomes.set(path, outcome);
    const headers: Record<string, number> = announced === undefined ? {} : { 'Content-Length': announced };
    const outgoing = request({ port, path, method: 'POST', headers, agent: false }, (answer) => answer.resume());
    outgoing.on('error', () => {});
    outgoing.write(Buffer.alloc(size));
    if (announced === undefined || announced <= size) outgoing.end();
    return { outcome: outcome.promise, hangUp: () => outgoing.destroy() };
  };
  const received = async (size: number) => {
    while (total < size) await more.promise;
  };
  return { send, received };
}
