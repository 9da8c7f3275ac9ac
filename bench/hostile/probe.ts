import { connect, type Socket } from 'node:net';
import { parentPort, Worker, workerData } from 'node:worker_threads';

/*
 * Other clients during an attack: each repeats a request every 10 ms on its own connection, in a thread of its own. Response
 * times count from when a request was due, so that a stalled service is late for every request that it delayed.
 */

/** The response times since the last call of `take`, in milliseconds, and the number of failed requests. */
export interface Waited {
  readonly times: readonly number[];
  readonly failed: number;
}

const INTERVAL_MS = 10;

/** Repeats the requests until it is closed. */
export class Probe {
  readonly #worker: Worker;

  constructor(port: number, requests: readonly string[]) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: { port, requests } });
  }

  /** Returns the measurements since the last call. Waits for requests in flight. */
  take(): Promise<Waited> {
    return new Promise((resolve) => {
      this.#worker.once('message', resolve);
      this.#worker.postMessage('take');
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

class Client {
  times: number[] = [];
  failed = 0;
  /** Settles when the request in flight is answered. */
  underWay: Promise<void> = Promise.resolve();
  readonly #port: number;
  readonly #request: string;
  #socket: Socket | undefined;

  constructor(port: number, request: string) {
    this.#port = port;
    this.#request = request;
  }

  async run(): Promise<never> {
    let due = performance.now();
    for (;;) {
      this.underWay = this.#ask();
      await this.underWay;
      const now = performance.now();
      for (; due <= now; due += INTERVAL_MS) this.times.push(now - due);
      await new Promise((resolve) => setTimeout(resolve, due - now));
    }
  }

  async #ask(): Promise<void> {
    this.#socket ??= connect(this.#port, '127.0.0.1');
    const isAnswered = await answered(this.#socket, this.#request);
    if (isAnswered) return;
    this.failed += 1;
    this.#socket.destroy();
    this.#socket = undefined;
  }
}

/** Resolves to true if a complete answer with status 200 came. */
function answered(socket: Socket, request: string): Promise<boolean> {
  return new Promise((resolve) => {
    let answer = '';
    const end = (isAnswered: boolean) => {
      socket.removeAllListeners();
      socket.on('error', () => {});
      resolve(isAnswered);
    };
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      const body = answer.indexOf('\r\n\r\n') + 4;
      if (body < 4) return;
      const length = Number(/^content-length: (\d+)/im.exec(answer.slice(0, body))?.[1]);
      if (!answer.startsWith('HTTP/1.1 200 ') || Number.isNaN(length)) end(false);
      else if (answer.length >= body + length) end(true);
    });
    socket.on('error', () => end(false)).on('close', () => end(false));
    socket.write(request);
  });
}

if (parentPort) {
  const { port, requests } = workerData as { port: number; requests: string[] };
  const clients = requests.map((request) => new Client(port, request));
  for (const client of clients) void client.run();
  parentPort.on('message', async () => {
    await Promise.all(clients.map(({ underWay }) => underWay));
    // Let the answer that has just come be counted first.
    await new Promise(setImmediate);
    const waited: Waited = {
      times: clients.flatMap(({ times }) => times),
      failed: clients.reduce((sum, { failed }) => sum + failed, 0),
    };
    for (const client of clients) [client.times, client.failed] = [[], 0];
    parentPort!.postMessage(waited);
  });
}
