import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { keyFinder } from './api-keys/find-api-key.ts';
import { KeyUsage } from './api-keys/key-usage.ts';
import { brandLookup } from './brands/shown-brand.ts';
import type { Config } from './config.ts';
import type { Surface } from './counts.ts';
import type { Lookup } from './db/change-cache.ts';
import { recordSurface, takeTurnsAs } from './db/connection-turns.ts';
import type { Db } from './db/database.ts';
import { faultsOf, recordDamageMessage } from './db/faults.ts';
import { limitChanges } from './db/long-changes.ts';
import type { AdminDependencies } from './http/admin/dependencies.ts';
import type { AdminHandler } from './http/admin/routes.ts';
import { brandImageHandler } from './http/admin-app/brand-images.ts';
import { adminAppHandler, movedAppHandler } from './http/admin-app/routes.ts';
import type { ApiDependencies } from './http/api/dependencies.ts';
import { failure, failureOf } from './http/api/failure.ts';
import { apiHandler, isCreation } from './http/api/routes.ts';
import { ArchiveImports, MAX_CONCURRENT_ARCHIVES } from './http/archive-imports.ts';
import { network } from './http/client.ts';
import { dispatcher, type Handler } from './http/dispatch.ts';
import { healthHandler, type ServiceState } from './http/health/health.ts';
import { hostReader } from './http/host.ts';
import { internalHandler } from './http/internal/tls-allowed.ts';
import { LargeRequests, LargeRequestThreads } from './http/large-requests.ts';
import { type Counter, RateLimit } from './http/limits.ts';
import type { HttpResponse, RequestContext, RequestHandler } from './http/request-context.ts';
import { requestHolderFinder } from './http/request-holders.ts';
import { MAX_PLAIN_URL_BYTES } from './http/request-problem.ts';
import { createServer, type HttpServerOptions, reloadCertificate } from './http/server.ts';
import { siteFailure } from './http/site/responses.ts';
import { SITE_ROUTE, siteHandler, themeAsset } from './http/site/routes.ts';
import { UnsentAnswers } from './http/unsent-answers.ts';
import type { ImageMaker } from './media/image-maker.ts';
import { openMediaStore } from './media/open-store.ts';
import { findFirstScreen } from './overview/first-screen.ts';
import { siteFinder } from './sites/find-site.ts';
import type { PreviewSite } from './sites/preview.ts';
import type { Site } from './sites/site.ts';
import { findUpperAccounts } from './tenancy/find-upper-accounts.ts';

/** How often a network may search sites. People read the results, so they search rarely. */
const MAX_SEARCHES_PER_MINUTE = 60;

interface AppDependencies {
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
  /** Called after a transaction that started an import. */
  readonly onImportStarted: () => void;
  /** Called for every response, for the access log and the metrics. */
  readonly onAnswered: HttpServerOptions['onAnswered'];
  /** Called for requests that could not be parsed, for the access log. */
  readonly onRefused: HttpServerOptions['onRefused'];
}

interface App {
  /** The server of the service. Like `health`, it does not listen yet. */
  readonly server: Server;
  /** The server of health and metrics, if they have a port of their own. */
  readonly health: Server | undefined;
  /** Makes `/readyz` answer with 200 if the database responds. Before this, the service is starting. */
  startServing(): void;
  /** Makes `/readyz` answer with 503, and closes each connection after its next response. */
  stopServing(): void;
  /**
   * Reads the files of TLS_CERT and TLS_KEY again, if they are set.
   * @throws AppError `invalid` if they cannot be used; the server then keeps its certificate
   */
  reloadCertificate(): void;
  /** Writes data that is only in memory, and ends threads. */
  close(): Promise<void>;
}

/** Counts the database's times during a handler for the surface. */
function countForSurface(surface: Surface, handler: Handler): Handler {
  return (...request) => {
    recordSurface(surface);
    return handler(...request);
  };
}

/** Assembles the service. `http/dispatch.ts` decides which of its surfaces answers a request. */
export function buildApp(dependencies: AppDependencies): App {
  const { config, db, log, onAnswered, onRefused } = dependencies;
  limitChanges(db);
  let state: ServiceState = 'starting';
  const usage = new KeyUsage(db, (error) => log.warn({ err: error }, 'could not record when keys were last used'));
  const findSite = siteFinder(db, config.sitesDomain);
  const store = openMediaStore(config);
  const hasOwnPort = config.metricsPort !== 0;
  const operations = operationsHandler(dependencies, findSite, () => state);
  const findHolder = requestHolderFinder(db);
  const threadOptions = {
    script: new URL('./answer-large-thread.js', import.meta.url),
    config,
    log,
    onMailQueued: dependencies.onMailQueued,
    onDamage: (found: string) => recordDamageMessage(faultsOf(db), found),
    unsent: new UnsentAnswers(),
    findHolder,
  };
  const largeRequests = new LargeRequests(threadOptions);
  const longChanges = new LargeRequests(threadOptions);
  const archiveThreads = new LargeRequestThreads(MAX_CONCURRENT_ARCHIVES, threadOptions);
  const archives = new ArchiveImports(archiveThreads.answer);
  const images = lazyImages(db);
  const admin = lazyAdmin({ ...dependencies, largeRequests, longChanges, archives, store, imageMaker: images.maker });
  const hostOf = hostReader(config.publicUrl);
  const dispatch = dispatcher(
    { publicUrl: config.publicUrl, hostOf },
    {
      api: countForSurface(
        'api',
        apiHandler({
          ...apiDependencies(dependencies, usage, { largeRequests, longChanges, archives }),
          store,
          imageMaker: images.maker,
        }),
      ),
      admin: countForSurface('admin', admin.handler),
      adminApp: countForSurface(
        'admin',
        adminAppHandler(config, brandLookup(db), (token) => findFirstScreen(db, token)),
      ),
      brandImages: brandImageHandler(db),
      movedApp: movedAppHandler(config),
      themeAssets,
      operations: hasOwnPort ? undefined : countForSurface('internal', operations),
      site: countForSurface(
        'site',
        siteHandler({
          db,
          config,
          findSite,
          store,
          searchLimit: new RateLimit('site search', MAX_SEARCHES_PER_MINUTE, dependencies.counter, config.workers),
        }),
      ),
      malformedHost: () => failure(400, 'The Host header is not the name of a host.'),
      notFound,
    },
  );
  // Once the account is known, its queries count for the account instead of the network.
  const handler = (ctx: RequestContext) => takeTurnsAs(network(ctx.ip), () => dispatch(ctx), ctx.trace);
  const onError = (error: unknown, ctx: RequestContext) =>
    (ctx.route === SITE_ROUTE ? siteFailure : failureOf)(error, log, ctx);
  const mayHaveLongUrl: HttpServerOptions['mayHaveLongUrl'] = (request, path) =>
    isCreation(request.method, path) && hostOf(request).kind === 'service';

  const isStopping = () => state === 'stopping';
  const server = createServer({
    config,
    mayHaveLongUrl,
    findHolder,
    handler,
    failureOf: onError,
    failure,
    onAnswered,
    onRefused,
    isStopping,
  });

  return {
    server,
    health: hasOwnPort
      ? createServer({
          config: { ...config, tlsCert: '', maxUrlBytes: MAX_PLAIN_URL_BYTES },
          mayHaveLongUrl: () => false,
          findHolder,
          handler: (ctx) => operations(ctx) ?? notFound(),
          failureOf: onError,
          failure,
          onAnswered: () => {},
          onRefused: () => {},
          isStopping,
        })
      : undefined,
    startServing: () => {
      state = 'serving';
    },
    stopServing: () => {
      state = 'stopping';
    },
    reloadCertificate: () => reloadCertificate(server, config),
    close: async () => {
      await Promise.all([largeRequests.close(), longChanges.close(), archiveThreads.close()]);
      images.close();
      await admin.close();
      await usage.stop();
    },
  };
}

function notFound(): HttpResponse {
  return failure(404, 'Not found.');
}

/** Returns the handler of health, metrics, and the hosts for which a proxy may get certificates. */
function operationsHandler(
  { config, db, metrics, damage }: AppDependencies,
  findSite: Lookup<Site>,
  stateOf: () => ServiceState,
): RequestHandler {
  const loopbackOnly = config.metricsPort === 0;
  const health = healthHandler({ db, metrics, damage, stateOf, loopbackOnly });
  const internal = internalHandler({ findSite, publicUrl: config.publicUrl, loopbackOnly });
  return (ctx) => health(ctx) ?? internal(ctx);
}

function apiDependencies(
  { config, db, counter, onMailQueued }: AppDependencies,
  usage: KeyUsage,
  {
    largeRequests,
    longChanges,
    archives,
  }: Readonly<Record<'largeRequests' | 'longChanges', LargeRequests>> & { readonly archives: ArchiveImports },
): Omit<ApiDependencies, 'store' | 'imageMaker'> {
  return {
    db,
    config,
    onMailQueued,
    answerInThread: largeRequests.answer,
    answerLongChange: longChanges.answer,
    archives,
    findKey: keyFinder(db),
    recordKeyUse: (accountId, keyId, at, ip) => usage.record(accountId, keyId, at, ip),
    httpsOnly: config.publicUrl.startsWith('https:'),
    keyLimit: new RateLimit('key', config.rateLimit, counter, config.workers),
    failedKeyLimit: new RateLimit('failed key', config.failedKeyLimit, counter, config.workers),
  };
}

/** Loads the admin app's surface with its first request: programs need none of it. */
function lazyAdmin(
  dependencies: AppDependencies &
    Pick<AdminDependencies, 'largeRequests' | 'longChanges' | 'archives' | 'store' | 'imageMaker'>,
): LazyAdmin {
  const previewSite = lazyPreviewer(dependencies.db, dependencies.config);
  const load = async () => {
    const { adminHandler } = await import('./http/admin/routes.ts');
    return adminHandler({ ...dependencies, previewSite });
  };
  let loaded: Promise<AdminHandler> | undefined;
  return {
    handler: async (ctx) => {
      // Loads only once: a thousand requests that import a module while it loads would delay all others.
      loaded ??= load().catch((error: unknown) => {
        // The next request tries again: a lack of file descriptors, for example, is temporary.
        loaded = undefined;
        throw error;
      });
      return (await loaded).handler(ctx) ?? notFound();
    },
    close: async () => (await loaded)?.close(),
  };
}

interface LazyAdmin {
  readonly handler: (ctx: RequestContext) => Promise<HttpResponse>;
  close(): Promise<void>;
}

/** Loads the image maker, which has its own processes, with the first upload. */
function lazyImages(db: Db) {
  let made: ImageMaker | undefined;
  return {
    maker: async () => {
      const { ImageMaker } = await import('./media/image-maker.ts');
      made ??= new ImageMaker({ findHolder: (accountId) => findUpperAccounts(db, accountId) });
      return made;
    },
    close: () => made?.close(),
  };
}

/** Loads the sites' renderers with the first preview. */
function lazyPreviewer(db: Db, config: Config): PreviewSite {
  let previewer: PreviewSite | undefined;
  return async (accountId, draft) => {
    const { sitePreviewer } = await import('./http/site/preview.ts');
    previewer ??= sitePreviewer(db, config);
    return previewer(accountId, draft);
  };
}

function themeAssets(ctx: RequestContext): Promise<HttpResponse> | undefined {
  if (ctx.request.method !== 'GET') return undefined;
  return themeAsset(ctx).then((asset) => asset ?? notFound());
}
