import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { parentPort } from 'node:worker_threads';

/* A receiver of webhooks in its own thread, so that it answers at once. It sends the audit its address, then each event as it arrives. */

/** A received event. Times are in milliseconds since 1970. */
export interface ReceivedEvent {
  readonly id: number;
  readonly at: number;
  readonly happenedAt: number;
}

const server = createServer(async (request, response) => {
  const { timestamp, data } = JSON.parse(await text(request));
  const id = Number(data.id.slice('event_'.length));
  parentPort!.postMessage({ id, at: Date.now(), happenedAt: Date.parse(timestamp) } satisfies ReceivedEvent);
  response.writeHead(204).end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
parentPort!.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
