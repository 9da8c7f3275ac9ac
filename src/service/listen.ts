import { Server } from 'node:net';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import type { PassedSockets } from './passed-sockets.ts';

/** The server's purpose: `service` is served on `PORT`, `metrics` on `METRICS_PORT`. */
export type Surface = 'service' | 'metrics';

/** How the servers of a process get their connections. */
export interface Entrance {
  open(servers: ReadonlyMap<Surface, Server>): Promise<void>;
  /** Resolves once no new connections arrive. Open connections stay open. */
  close(): Promise<void>;
}

/** The number of connections that may wait to be accepted. The system refuses more. */
const BACKLOG = 1024;

/** Returns the entrance of a single process, which listens on the ports itself. */
export function portEntrance(config: Config, sockets: PassedSockets): Entrance {
  const open: Server[] = [];
  return {
    open: async (servers) => {
      for (const [surface, server] of servers) {
        await listen(server, surface, config, sockets);
        open.push(server);
      }
    },
    close: async () => {
      // `close` of an HTTP server would close idle connections, too.
      for (const server of open) Server.prototype.close.call(server);
    },
  };
}

/**
 * Listens on the passed socket, if there is one, or else on the configured port.
 * @throws AppError `unavailable` if that fails
 */
export function listen(server: Server, surface: Surface, config: Config, sockets: PassedSockets): Promise<void> {
  const { host } = config;
  const port = surface === 'service' ? config.port : config.metricsPort;
  const fd = sockets[surface];
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const where = host ? `${host}:${port}` : `port ${port}`;
      const option = surface === 'service' ? 'PORT' : 'METRICS_PORT';
      reject(new AppError('unavailable', fd === undefined ? portProblem(error, where, option) : fdProblem(error, fd)));
    });
    const address = fd === undefined ? { port, ...(host ? { host } : {}) } : { fd };
    server.listen({ ...address, backlog: BACKLOG }, resolve);
  });
}

function portProblem(error: NodeJS.ErrnoException, where: string, option: string): string {
  return error.code === 'EADDRINUSE'
    ? `Cannot listen: ${where} is in use by another program. Stop it, or set ${option}.`
    : `Cannot listen on ${where}: ${error.message}.`;
}

function fdProblem(error: NodeJS.ErrnoException, fd: number): string {
  return `Cannot listen on the socket that was passed as descriptor ${fd} (LISTEN_FDS): ${error.message}.`;
}
