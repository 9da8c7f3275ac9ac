import { queryValue } from '../../query.ts';
import { isLocal } from '../client.ts';
import { ownHost } from '../host.ts';
import { byteString, type HttpResponse, type RequestHandler } from '../request-context.ts';

interface InternalDependencies {
  /** Returns the site at a host, or undefined; see `siteFinder`. */
  readonly findSite: (host: string) => object | undefined | Promise<object | undefined>;
  /** The URL of the service. */
  readonly publicUrl: string;
  /** True if only callers on this machine are answered. */
  readonly loopbackOnly: boolean;
}

/**
 * Returns the handler of `/internal/tls-allowed?domain=`. It tells a proxy that obtains certificates on demand whether a host
 * belongs to this service: 200 or 404. Like the health routes it is not public: anybody could learn from it who has a site here.
 */
export function internalHandler({ findSite, publicUrl, loopbackOnly }: InternalDependencies): RequestHandler {
  const own = ownHost(publicUrl);
  const isAllowed = async (host: string) => host === own || (await findSite(host)) !== undefined;

  return (ctx) => {
    if (ctx.path !== '/internal/tls-allowed' || (loopbackOnly && !isLocal(ctx))) return undefined;
    ctx.route = ctx.path;
    const { method } = ctx.request;
    if (method !== 'GET' && method !== 'HEAD') return text(405, 'Method not allowed.\n', ['Allow', 'GET, HEAD']);
    const domain = queryValue(ctx.query, 'domain') ?? '';
    return isAllowed(domain.toLowerCase()).then(
      (allowed) => (allowed ? text(200, 'allowed\n') : text(404, 'not allowed\n')),
      () => text(503, 'the database cannot be reached\n'),
    );
  };
}

function text(status: number, content: string, more: readonly string[] = []): HttpResponse {
  const body = byteString(content);
  const type = 'text/plain; charset=utf-8';
  return {
    status,
    headers: ['Content-Type', type, 'Content-Length', String(body.length), 'Cache-Control', 'no-store', ...more],
    body,
  };
}
