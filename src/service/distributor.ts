import type { Worker } from 'node:cluster';
import { createServer, type Server, type Socket } from 'node:net';
import type { Config } from '../config.ts';
import { listen, type Surface } from './listen.ts';
import type { PassedSockets } from './passed-sockets.ts';

/** The most connections that may wait while there is no worker. */
const MAX_WAITING_CONNECTIONS = 1024;

/** The message that accompanies a connection to a worker. */
export interface ConnectionMessage {
  readonly connection: Surface;
}

interface Accepted {
  readonly surface: Surface;
  readonly socket: Socket;
}

/**
 * Accepts all connections in the primary, and hands them out to the workers in turn. Unlike Node's own distribution, it can
 * stop accepting before the workers do, so no connection is lost. It also keeps listening while there are no workers.
 */
export class Distributor {
  readonly #servers: Server[] = [];
  /** The connections being sent to each worker, with the worker that is next in turn first. */
  readonly #workers = new Map<Worker, Set<Accepted>>();
  #waiting: Accepted[] = [];

  /**
   * Listens on all configured ports.
   * @throws AppError `unavailable` if that fails, for example because a port is in use
   */
  async listen(config: Config, sockets: PassedSockets): Promise<void> {
    const surfaces: Surface[] = config.metricsPort === 0 ? ['service'] : ['service', 'metrics'];
    for (const surface of surfaces) {
      const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => this.#pass({ surface, socket }));
      await listen(server, surface, config, sockets);
      this.#servers.push(server);
    }
  }

  /** Starts handing out connections to the worker. */
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

  /** Stops handing out connections to the worker. Messages sent afterwards arrive after the last connection. */
  remove(worker: Worker): void {
    this.#workers.delete(worker);
  }

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
    // `keepOpen` makes us responsible for closing our descriptor. Node would wait until the worker has received its own,
    // and would never close ours if the worker ended first.
    worker.send({ connection: surface } satisfies ConnectionMessage, socket, { keepOpen: true }, (error) => {
      // If the worker has ended, the connection was passed to another worker.
      if (!unsent.delete(accepted)) return;
      if (error) this.#pass(accepted);
      else socket.destroy();
    });
  }

  /** Returns the worker with the fewest connections being sent: a busy worker takes longer to receive them. */
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
