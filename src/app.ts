import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { keyFinder } from './api-keys/find-api-key.ts';
import { KeyUsage } from './api-keys/key-usage.ts';
import type { Config } from './config.ts';
import type { Db } from './db/database.ts';
import { faultsOf, noteDamageFound } from './db/faults.ts';
import type { AdminHandler } from './http/admin/routes.ts';
import { adminAppHandler, movedAppHandler } from './http/admin-app/routes.ts';
import { failure, failureOf } from './http/api/failure.ts';
import { apiHandler, isCreation } from './http/api/routes.ts';
import { healthHandler } from './http/health/health.ts';
import { hostReader, ownHost, strictTransport } from './http/host.ts';
import { internalHandler } from './http/internal/tls-allowed.ts';
import { LargeRequests } from './http/large-requests.ts';
import { type Counter, RateLimit } from './http/limits.ts';
import type { RequestContext } from './http/request-context.ts';
import { MAX_PLAIN_URL_BYTES } from './http/request-problem.ts';
import { createServer, type HttpServerOptions } from './http/server.ts';
import { siteFailure } from './http/site/responses.ts';
import { SITE_ROUTE, siteHandler, themeAsset } from './http/site/routes.ts';
import { openMediaStore } from './media/open-store.ts';
import { siteFinder } from './sites/find-site.ts';
import type { PreviewSite } from './sites/preview.ts';

export interface AppDependencies {
  readonly config: Config;
  readonly db: Db;
  readonly log: Logger;
  /** Counts requests for all processes of the service. */
  readonly counter: Counter;
  readonly metrics: () => Promise<string>;
  /** Returns the damage of the database that any process of the service has found. */
  readonly damage: () => Promise<string | undefined>;
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
  const { config, db, log, counter, metrics, damage, onMailQueued, onAnswered, onRefused } = dependencies;
  let serving = true;
  const usage = new KeyUsage(db, (error) => log.warn({ err: error }, 'could not note when keys were last used'));
  const loopbackOnly = config.metricsPort === 0;
  const health = healthHandler({ db, metrics, damage, isServing: () => serving, loopbackOnly });
  const largeRequests = new LargeRequests({
    script: new URL('./answer-large-thread.js', import.meta.url),
    config,
    log,
    onMailQueued,
    onDamage: (found) => noteDamageFound(faultsOf(db), found),
  });
  const findSite = siteFinder(db, config.sitesDomain);
  const internal = internalHandler({ findSite, publicUrl: config.publicUrl, loopbackOnly });
  const operations = (ctx: RequestContext) => health(ctx) ?? internal(ctx);
  const api = apiHandler({
    db,
    config,
    onMailQueued,
    answerElsewhere: largeRequests.answer,
    findKey: keyFinder(db),
    noteUse: (accountId, keyId, at, ip) => usage.record(accountId, keyId, at, ip),
    httpsOnly: config.publicUrl.startsWith('https:'),
    keyLimit: new RateLimit('key', config.rateLimit, counter, config.workers),
    failedKeyLimit: new RateLimit('failed key', config.failedKeyLimit, counter, config.workers),
  });
  const adminApp = adminAppHandler(config);
  const adminAppElsewhere = movedAppHandler(config);
  const store = openMediaStore(config);
  const site = siteHandler({ db, config, findSite, store });
  // The sites' renderers come with the first preview.
  let previewer: PreviewSite | undefined;
  const previewSite: PreviewSite = async (accountId, draft) => {
    const { sitePreviewer } = await import('./http/site/preview.ts');
    previewer ??= sitePreviewer(db, config);
    return previewer(accountId, draft);
  };
  // With the first person who looks after their pages: programs need none of it.
  let admin: AdminHandler | undefined;
  const forAdmin = async (ctx: RequestContext) => {
    const { adminHandler } = await import('./http/admin/routes.ts');
    admin ??= adminHandler({ db, config, log, counter, store, onMailQueued, previewSite, largeRequests });
    return admin.handler(ctx) ?? notFound();
  };
  const own = config.metricsPort !== 0;
  const notFound = () => failure(404, 'Not found.');
  const service = (ctx: RequestContext) => api(ctx) ?? (own ? undefined : operations(ctx));
  const forPreviews = async (ctx: RequestContext) =>
    (ctx.path.startsWith('/-/') && ctx.request.method === 'GET' && (await themeAsset(ctx))) || notFound();
  const hostOf = hostReader(config.publicUrl);
  // The service is never to be had on a site's host, nor a site on the service's.
  const adminHost = ownHost(config.publicUrl);
  const ofHttps = strictTransport(config.publicUrl);
  const forPeople = (ctx: RequestContext) =>
    ctx.path.startsWith('/admin/') ? forAdmin(ctx) : (service(ctx) ?? adminApp(ctx) ?? forPreviews(ctx));
  const forPrograms = (ctx: RequestContext) => service(ctx) ?? adminAppElsewhere(ctx);
  const handler = (ctx: RequestContext) => {
    const { kind, name } = hostOf(ctx.request);
    if (kind === 'site') return site(ctx, name);
    if (kind === 'malformed') return failure(400, 'The Host header is not the name of a host.');
    // Not with a site: its domain is somebody else's, who may want to serve it without HTTPS one day.
    if (ctx.isHttps) ctx.extraHeaders.push(...ofHttps);
    // People's sessions are for one host: the service's other names are for programs.
    return (name === adminHost ? forPeople : forPrograms)(ctx) ?? notFound();
  };
  const onError = (error: unknown, ctx: RequestContext) =>
    (ctx.route === SITE_ROUTE ? siteFailure : failureOf)(error, log, ctx);
  const mayHaveLongUrl: HttpServerOptions['mayHaveLongUrl'] = (request, path) =>
    isCreation(request.method, path) && hostOf(request).kind === 'service';
  const ownSurface = (ctx: RequestContext) => operations(ctx) ?? notFound();

  return {
    server: createServer({ config, mayHaveLongUrl, handler, failureOf: onError, failure, onAnswered, onRefused }),
    health: own
      ? createServer({
          config: { ...config, tlsCert: '', maxUrlBytes: MAX_PLAIN_URL_BYTES },
          mayHaveLongUrl: () => false,
          handler: ownSurface,
          failureOf: onError,
          failure,
          onAnswered: () => {},
          onRefused: () => {},
        })
      : undefined,
    stopServing: () => {
      serving = false;
    },
    close: async () => {
      await largeRequests.close();
      await admin?.close();
      await usage.stop();
    },
  };
}
