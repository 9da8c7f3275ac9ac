import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * How long idle connections stay open when the service stops. Most clients that reuse a connection send their next request
 * within this time, and its response tells them that the connection closes.
 */
const IDLE_GRACE_MS = 1000;

/** The open connections of a server, including those that the primary handed over. */
export class Connections {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #onEnded = () => {};

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket);
      socket.once('close', () => {
        this.#open.delete(socket);
        this.#onEnded();
      });
    });
  }

  /**
   * Waits for running requests, for at most `timeoutMs`, and closes idle connections after a grace period. Closing them at
   * once could lose a request that a client is just sending. The caller must have stopped accepting connections.
   */
  finish(timeoutMs: number): Promise<void> {
    const ended = Promise.withResolvers<void>();
    this.#onEnded = () => {
      if (this.#open.size === 0) ended.resolve();
    };
    this.#onEnded();
    let idle: NodeJS.Timeout | undefined;
    const closeIdle = () => {
      // `setImmediate` lets the event loop read requests that have arrived first. The interval catches connections that
      // become idle later.
      idle = setInterval(() => setImmediate(() => this.#server.closeIdleConnections()), 50);
    };
    const grace = setTimeout(closeIdle, Math.min(IDLE_GRACE_MS, timeoutMs));
    const deadline = setTimeout(() => {
      // Includes sockets in their TLS handshake, which the server does not know yet.
      for (const socket of this.#open) socket.destroy();
    }, timeoutMs);
    return ended.promise.finally(() => {
      clearTimeout(grace);
      clearInterval(idle);
      clearTimeout(deadline);
    });
  }
}
