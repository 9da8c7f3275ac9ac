import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { keyFinder } from './api-keys/find-api-key.ts';
import { KeyUsage } from './api-keys/key-usage.ts';
import type { Config } from './config.ts';
import type { Db } from './db/database.ts';
import { failure, failureOf } from './http/api/failure.ts';
import { apiSurface } from './http/api/routes.ts';
import type { Exchange } from './http/exchange.ts';
import { healthSurface } from './http/health/health.ts';
import { type Counter, RateLimit } from './http/limits.ts';
import { createServer, type HttpServerOptions } from './http/server.ts';

export interface AppDependencies {
  readonly config: Config;
  readonly db: Db;
  readonly log: Logger;
  /** Counts requests for all processes of the service. */
  readonly counter: Counter;
  readonly metrics: () => Promise<string>;
  /** Called after a transaction that queued mail. */
  readonly onMailQueued: () => void;
  /** Told of every answer: for the access log and the metrics. */
  readonly onAnswered: HttpServerOptions['onAnswered'];
  /** Told of what could not be read as a request: for the access log. */
  readonly onRefused: HttpServerOptions['onRefused'];
}

export interface App {
  /** The service itself. Like `health`, it does not listen yet. */
  readonly server: Server;
  /** Health and metrics on their own port; undefined where they are on the service's. */
  readonly health: Server | undefined;
  /** Answers `/readyz` with 503 from now on. */
  stopServing(): void;
  /** Writes down what was only noted in memory. */
  close(): Promise<void>;
}

/** The whole service: its surfaces, in the order they are asked. */
export function buildApp(dependencies: AppDependencies): App {
  const { config, db, log, counter, metrics, onMailQueued, onAnswered, onRefused } = dependencies;
  let serving = true;
  const usage = new KeyUsage(db, (error) => log.warn({ err: error }, 'could not note when keys were last used'));
  const health = healthSurface({
    db,
    metrics,
    isServing: () => serving,
    loopbackOnly: config.metricsPort === 0,
  });
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
  const own = config.metricsPort !== 0;
  const notFound = () => failure(404, 'Not found.');
  const surface = (exchange: Exchange) => api(exchange) ?? (own ? undefined : health(exchange)) ?? notFound();
  const onError = (error: unknown, exchange: Exchange) => failureOf(error, log, exchange);
  const ownSurface = (exchange: Exchange) => health(exchange) ?? notFound();

  return {
    server: createServer({ config, surface, failureOf: onError, failure, onAnswered, onRefused }),
    health: own
      ? createServer({
          config: { ...config, tlsCert: '' },
          surface: ownSurface,
          failureOf: onError,
          failure,
          onAnswered: () => {},
          onRefused: () => {},
        })
      : undefined,
    stopServing: () => {
      serving = false;
    },
    close: () => usage.stop(),
  };
}
