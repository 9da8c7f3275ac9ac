import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * How long an idle connection stays open when the service stops. Most clients that use one again do so within this time, and are told
 * with the answer that it is the last.
 */
const IDLE_GRACE_MS = 1000;

/** The open connections of a server, which may have come from the primary. */
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
   * Lets requests under way finish, for at most `timeoutMs`, and closes idle connections after a while. At once would be wrong: a
   * client may just be sending another request, and would get no answer. No new connections may come.
   */
  finish(timeoutMs: number): Promise<void> {
    const ended = Promise.withResolvers<void>();
    this.#onEnded = () => {
      if (this.#open.size === 0) ended.resolve();
    };
    this.#onEnded();
    let idle: NodeJS.Timeout | undefined;
    const closeIdle = () => {
      // The event loop reads what has arrived before it comes to this. A connection may become idle later, too.
      idle = setInterval(() => setImmediate(() => this.#server.closeIdleConnections()), 50);
    };
    const grace = setTimeout(closeIdle, Math.min(IDLE_GRACE_MS, timeoutMs));
    const impatient = setTimeout(() => {
      // The server does not know the sockets that are still in their TLS handshake.
      for (const socket of this.#open) socket.destroy();
    }, timeoutMs);
    return ended.promise.finally(() => {
      clearTimeout(grace);
      clearInterval(idle);
      clearTimeout(impatient);
    });
  }
}
