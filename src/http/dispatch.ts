import { ownHost, type RequestHost, strictTransport } from './host.ts';
import type { HttpResponse, RequestContext } from './request-context.ts';

/**
 * Answers a request for this host, or returns `undefined` to leave it to the next handler. Calling `asApp` answers it as a
 * request for the admin app on an agency's host.
 */
export type Handler = (
  ctx: RequestContext,
  host: string,
  asApp: () => HttpResponse | Promise<HttpResponse>,
) => HttpResponse | Promise<HttpResponse> | undefined;

export interface Handlers {
  readonly api: Handler;
  /** The calls that the admin app makes. */
  readonly admin: Handler;
  readonly adminApp: Handler;
  /** Brands' logos and icons. */
  readonly brandImages: Handler;
  /** Tells users where the admin app is. */
  readonly movedApp: Handler;
  /** The style sheets and fonts of the themes, for previews. */
  readonly themeAssets: Handler;
  /** Health, metrics and similar endpoints; `undefined` if they have their own port. */
  readonly operations: Handler | undefined;
  readonly site: Handler;
  readonly malformedHost: Handler;
  /** Answers if no other handler does. */
  readonly notFound: () => HttpResponse;
}

interface DispatcherSettings {
  readonly publicUrl: string;
  readonly hostOf: (request: RequestContext['request']) => RequestHost;
}

/** The handlers for paths with a prefix, in the order in which they are tried. */
interface Row {
  readonly prefix: string;
  readonly handlers: readonly Handler[];
}

/**
 * Returns the whole routing table: the kind of host, then the path prefix, decides which handlers are tried. The first row
 * with a matching prefix is used.
 */
function dispatchTable(to: Handlers): Record<HostKind, readonly Row[]> {
  return {
    // The host of PUBLIC_URL. User sessions are valid only there.
    own: [
      row('/api/', to.api),
      row('/mcp', to.api),
      // Programs discover there how to get a key. It exists only on this host, because users sign in here.
      row('/oauth/', to.api),
      row('/.well-known/oauth-', to.api),
      row('/admin/', to.admin),
      row('/-/', to.adminApp, to.brandImages, to.themeAssets),
      row('', to.operations, to.adminApp),
    ],
    // Other names of the service, such as the address of its machine. They are for programs.
    alias: [row('/api/', to.api), row('/mcp', to.api), row('', to.operations, to.movedApp)],
    // An agency's own host, with the admin app for its customers. Programs have no access there.
    app: [
      row('/api/'),
      row('/mcp'),
      row('/admin/', to.admin),
      row('/-/', to.adminApp, to.brandImages, to.themeAssets),
      row('', to.adminApp),
    ],
    // The service is not reachable on a site's host, nor a site on the service's. Only the database knows which of these
    // hosts serve the admin app.
    site: [row('', to.site)],
    malformed: [row('', to.malformedHost)],
  };
}

type HostKind = 'own' | 'alias' | 'app' | 'site' | 'malformed';

/** Returns a function that passes each request to the handlers of the table, and answers 404 if none of them answers. */
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
    // Not for sites: a site's domain belongs to a customer, who may want to serve it without HTTPS one day.
    if (kind === 'service' && ctx.isHttps) ctx.extraHeaders.push(...transportHeaders);
    const hostKind = kind !== 'service' ? kind : name === own ? 'own' : 'alias';
    return answer(hostKind, ctx, name);
  };
}

function row(prefix: string, ...handlers: Array<Handler | undefined>): Row {
  return { prefix, handlers: handlers.filter((handler) => handler !== undefined) };
}
