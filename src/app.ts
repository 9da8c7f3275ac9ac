import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { keyFinder } from './api-keys/find-api-key.ts';
import { KeyUsage } from './api-keys/key-usage.ts';
import type { Config } from './config.ts';
import type { Db } from './db/database.ts';
import { apiSurface, failure } from './http/api/routes.ts';
import type { Exchange } from './http/exchange.ts';
import { type Counter, RateLimit } from './http/limits.ts';
import { createServer, type HttpServerOptions } from './http/server.ts';

export interface AppDependencies {
  readonly config: Config;
  readonly db: Db;
  readonly log: Logger;
  /** Counts requests for all processes of the service. */
  readonly counter: Counter;
  readonly onMailQueued: () => void;
  /** Told of every answer: for the access log and the metrics. */
  readonly onAnswered: HttpServerOptions['onAnswered'];
}

export interface App {
  readonly server: Server;
  /** Writes down what was only noted in memory. */
  close(): Promise<void>;
}

/** The whole service behind one HTTP server that does not listen yet: the surfaces, in the order they are asked. */
export function buildApp({ config, db, log, counter, onMailQueued, onAnswered }: AppDependencies): App {
  const usage = new KeyUsage(db, (error) => log.warn({ err: error }, 'could not note when keys were last used'));
  const api = apiSurface({
    db,
    config,
    log,
    onMailQueued,
    findKey: keyFinder(db),
    noteUse: (accountId, keyId, at) => usage.note(accountId, keyId, at),
    httpsOnly: config.publicUrl.startsWith('https:'),
    keyLimit: new RateLimit('key', config.rateLimit, counter, config.workers),
    failedKeyLimit: new RateLimit('failed key', config.failedKeyLimit, counter, config.workers),
  });
  const surface = (exchange: Exchange) => api(exchange) ?? failure(404, 'Not found.');
  const server = createServer({ config, surface, failure, onAnswered });
  return { server, close: () => usage.stop() };
}
