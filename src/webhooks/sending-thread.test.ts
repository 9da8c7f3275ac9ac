import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { SendingThread } from './sending-thread.ts';

/** Starts a sending thread, and a receiver that passes each message to `answer`. */
async function start(t: TestContext, answer: (id: string, response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    request.resume();
    answer(String(request.headers['webhook-id']), response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const thread = new SendingThread({ dnsServers: [], webhooksToPrivateNetworks: true });
  t.after(async () => {
    await thread.stop();
    await thread.end();
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const secrets = { secret: 'whsec_MDEyMw==', old_secret: null, old_secret_until: null };
  const send = (...ids: string[]) => {
    const messages = ids.map((id) => ({ id, body: '{}', traceparent: undefined }));
    return thread.send({ url, secrets, messages });
  };
  return { thread, send };
}

const statuses = (attempts: ReadonlyArray<{ status: number | null }>) => attempts.map(({ status }) => status);

test('a message is sent once the previous one was accepted, and none after a refused one', async (t) => {
  const received: string[] = [];
  const { send } = await start(t, (id, response) => {
    received.push(id);
    response.writeHead(id === 'c' ? 500 : 204).end();
  });
  assert.deepEqual(statuses(await send('a', 'b', 'c', 'd')), [204, 204, 500]);
  assert.deepEqual(received, ['a', 'b', 'c']);
});

test('messages to one receiver do not wait for another receiver', async (t) => {
  const waiting = Promise.withResolvers<ServerResponse>();
  const { send } = await start(t, (id, response) => {
    if (id === 'slow') waiting.resolve(response);
    else response.writeHead(204).end();
  });
  const slow = send('slow');
  const response = await waiting.promise;
  assert.deepEqual(statuses(await send('quick')), [204]);
  response.writeHead(204).end();
  assert.deepEqual(statuses(await slow), [204]);
});

test('stopping cuts off the current message without counting it as an attempt, and sends nothing more', async (t) => {
  const waiting = Promise.withResolvers<void>();
  const received: string[] = [];
  const { thread, send } = await start(t, (id, response) => {
    received.push(id);
    if (id === 'b') waiting.resolve();
    else response.writeHead(204).end();
  });
  const sent = send('a', 'b', 'c');
  await waiting.promise;
  await thread.stop();
  assert.deepEqual(statuses(await sent), [204]);
  assert.deepEqual(await send('d'), []);
  assert.deepEqual(received, ['a', 'b']);
});
