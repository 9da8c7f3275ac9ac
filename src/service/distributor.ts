import type { Worker } from 'node:cluster';
import { createServer, type Server, type Socket } from 'node:net';
import type { Config } from '../config.ts';
import { listen, type Surface } from './listen.ts';
import type { PassedSockets } from './passed-sockets.ts';

/** How many connections may wait for a worker where there is none. */
const MAX_WAITING_CONNECTIONS = 1024;

/** Goes to a worker with a connection. */
export interface ConnectionMessage {
  readonly connection: Surface;
}

interface Accepted {
  readonly surface: Surface;
  readonly socket: Socket;
}

/**
 * Accepts the connections for all workers, in the primary, and hands them out in turn. Unlike Node's own way, it can stop accepting
 * before the workers do, so that none is lost; and it goes on listening when all workers are gone.
 */
export class Distributor {
  readonly #servers: Server[] = [];
  /** The connections that each worker is to be sent. Who comes first is next. */
  readonly #workers = new Map<Worker, Set<Accepted>>();
  #waiting: Accepted[] = [];

  /** @throws AppError `unavailable` when a port is in use, or the like. */
  async listen(config: Config, sockets: PassedSockets): Promise<void> {
    const surfaces: Surface[] = config.metricsPort === 0 ? ['service'] : ['service', 'metrics'];
    for (const surface of surfaces) {
      const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => this.#pass({ surface, socket }));
      await listen(server, surface, config, sockets);
      this.#servers.push(server);
    }
  }

  /** Hands out connections to the worker from now on. */
  add(worker: Worker): void {
    const unsent = new Set<Accepted>();
    this.#workers.set(worker, unsent);
    worker.once('exit', () => {
      this.remove(worker);
      const others = [...unsent];
      unsent.clear();
      for (const accepted of others) this.#pass(accepted);
    });
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const accepted of waiting) this.#pass(accepted);
  }

  /** Hands out no more connections to the worker. What it is sent afterwards arrives behind the last one. */
  remove(worker: Worker): void {
    this.#workers.delete(worker);
  }

  /** Accepts no more connections. */
  close(): void {
    for (const server of this.#servers) server.close();
  }

  #pass(accepted: Accepted): void {
    const worker = this.#next();
    if (!worker) {
      if (this.#waiting.length < MAX_WAITING_CONNECTIONS) this.#waiting.push(accepted);
      else accepted.socket.destroy();
      return;
    }
    const { surface, socket } = accepted;
    const unsent = this.#workers.get(worker)!;
    unsent.add(accepted);
    // Our descriptor is closed here. Node would wait until the worker has its own, and never close it if the worker ends before.
    worker.send({ connection: surface } satisfies ConnectionMessage, socket, { keepOpen: true }, (error) => {
      // Another worker has it if this one has ended.
      if (!unsent.delete(accepted)) return;
      if (error) this.#pass(accepted);
      else socket.destroy();
    });
  }

  /** Returns the worker with the fewest connections to be sent: a busy one takes longer to receive them. */
  #next(): Worker | undefined {
    let next: Worker | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const [worker, { size }] of this.#workers) {
      if (size >= fewest || !worker.isConnected()) continue;
      next = worker;
      fewest = size;
    }
    if (!next) return undefined;
    const unsent = this.#workers.get(next)!;
    this.#workers.delete(next);
    this.#workers.set(next, unsent);
    return next;
  }
}
