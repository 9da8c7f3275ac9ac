import { ownHost, type RequestHost, strictTransport } from './host.ts';
import type { HttpResponse, RequestContext } from './request-context.ts';

/**
 * Answers a request that names this host, or leaves it to the next handler with `undefined`. With `asApp` it has the request
 * answered as one for the admin app at an agency's host.
 */
export type Handler = (
  ctx: RequestContext,
  host: string,
  asApp: () => HttpResponse | Promise<HttpResponse>,
) => HttpResponse | Promise<HttpResponse> | undefined;

export interface Handlers {
  readonly api: Handler;
  /** The calls of the admin app. */
  readonly admin: Handler;
  readonly adminApp: Handler;
  /** Brands' logos and icons. */
  readonly brandImages: Handler;
  /** Says where the admin app is. */
  readonly movedApp: Handler;
  /** The style sheets and fonts of the themes, for previews. */
  readonly themeAssets: Handler;
  /** Health, metrics and the like; `undefined` where they have a port of their own. */
  readonly operations: Handler | undefined;
  readonly site: Handler;
  readonly malformedHost: Handler;
  /** Answers where nobody else does. */
  readonly notFound: () => HttpResponse;
}

interface DispatcherSettings {
  readonly publicUrl: string;
  readonly hostOf: (request: RequestContext['request']) => RequestHost;
}

/** The handlers of the paths that begin with a prefix, in the order in which they are asked. */
interface Row {
  readonly prefix: string;
  readonly handlers: readonly Handler[];
}

/** The whole dispatch: whom the host names, how the path begins, who answers. The first row whose prefix fits counts. */
function dispatchTable(to: Handlers): Record<HostKind, readonly Row[]> {
  return {
    // The host of PUBLIC_URL. People's sessions are for it alone.
    own: [
      row('/api/', to.api),
      row('/mcp', to.api),
      // Programs find there how to get a key. Elsewhere nothing is to be found: people sign in here.
      row('/oauth/', to.api),
      row('/.well-known/oauth-', to.api),
      row('/admin/', to.admin),
      row('/-/', to.adminApp, to.brandImages, to.themeAssets),
      row('', to.operations, to.adminApp),
    ],
    // The service's other names, such as the address of its machine: for programs.
    alias: [row('/api/', to.api), row('/mcp', to.api), row('', to.operations, to.movedApp)],
    // A host of an agency's own, with the admin app of its customers: nothing for programs.
    app: [
      row('/api/'),
      row('/mcp'),
      row('/admin/', to.admin),
      row('/-/', to.adminApp, to.brandImages, to.themeAssets),
      row('', to.adminApp),
    ],
    // The service is not reachable at the host of a site, nor a site at the service's. Which of these hosts has the app, only the
    // database knows.
    site: [row('', to.site)],
    malformed: [row('', to.malformedHost)],
  };
}

type HostKind = 'own' | 'alias' | 'app' | 'site' | 'malformed';

/** Hands each request to the handlers that the table names, and answers 404 where none of them answers. */
export function dispatcher(
  { publicUrl, hostOf }: DispatcherSettings,
  to: Handlers,
): (ctx: RequestContext) => HttpResponse | Promise<HttpResponse> {
  const table = dispatchTable(to);
  const own = ownHost(publicUrl);
  const transportHeaders = strictTransport(publicUrl);

  const answer = (hostKind: HostKind, ctx: RequestContext, name: string): HttpResponse | Promise<HttpResponse> => {
    for (const { prefix, handlers } of table[hostKind]) {
      if (!ctx.path.startsWith(prefix)) continue;
      for (const handler of handlers) {
        const response = handler(ctx, name, () => answer('app', ctx, name));
        if (response) return response;
      }
      break;
    }
    return to.notFound();
  };

  return (ctx) => {
    const { kind, name } = hostOf(ctx.request);
    // Not with a site: its domain is somebody else's, who may want to serve it without HTTPS one day.
    if (kind === 'service' && ctx.isHttps) ctx.extraHeaders.push(...transportHeaders);
    const hostKind = kind !== 'service' ? kind : name === own ? 'own' : 'alias';
    return answer(hostKind, ctx, name);
  };
}

function row(prefix: string, ...handlers: Array<Handler | undefined>): Row {
  return { prefix, handlers: handlers.filter((handler) => handler !== undefined) };
}
