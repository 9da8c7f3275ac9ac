import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hasLocalHost } from '../config.ts';
import type { RequestContext } from './request-context.ts';

/** The destination of a request, by the host it names. */
export interface RequestHost {
  /** `service`: the installation's own host. `site`: an account's site, or an unknown host. */
  readonly kind: 'service' | 'site' | 'malformed';
  /** The host in lower case, without a port or a trailing dot; empty if it cannot be a site's. */
  readonly name: string;
}

/**
 * Returns a function that finds the destination of a request. The service answers to the host of PUBLIC_URL and to names
 * that no site can have. Those are `localhost`, addresses, and names without a dot, such as those of containers. Every other
 * name belongs to a site. Ports are ignored: proxies and port maps change them. Only the request itself is trusted, never an
 * `X-Forwarded-Host`.
 */
export function hostReader(publicUrl: string): (request: IncomingMessage) => RequestHost {
  const own = ownHost(publicUrl);
  const known = new Map<string, RequestHost>();
  let last: RequestHost = SERVICE;
  let lastHeader: string | undefined;

  const read = (header: string): RequestHost => {
    // This runs for every request, and nearly all of them repeat a recent name.
    if (header === lastHeader) return last;
    let host = known.get(header);
    if (!host) {
      host = hostOf(header, own);
      if (known.size >= MAX_CACHED_HOSTS) known.clear();
      if (header.length <= MAX_HOST_CHARACTERS) known.set(header, host);
    }
    lastHeader = header;
    last = host;
    return host;
  };

  return ({ headers, url = '/' }) => {
    // HTTP/1.0 has no Host header, and HTTP/1.1 allows an empty one.
    const host = headers.host ? read(headers.host) : SERVICE;
    if (url.charCodeAt(0) === SLASH) return host;
    const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
    if (authority === undefined || host.kind === 'malformed') return host;
    const named = read(authority);
    // RFC 9112, section 3.2.2, gives the target precedence, but a proxy in front of us may have used the header.
    return named.kind === host.kind && named.name === host.name ? host : UNKNOWN_SITE;
  };
}

/** Returns the host of the service itself, without a trailing dot. */
export function ownHost(publicUrl: string): string {
  return new URL(publicUrl).hostname.replace(/\.$/, '');
}

/** Returns the URL of the admin app on an agency's own host. It has the protocol and port of the service. */
export function appUrlOf(host: string, publicUrl: string): string {
  const { protocol, port } = new URL(publicUrl);
  return `${protocol}//${host}${port && `:${port}`}`;
}

/** Returns the URL of the admin app for this request: on the agency's host, or else on the service's. */
export function appUrl({ appHost }: Pick<RequestContext, 'appHost'>, publicUrl: string): string {
  return appHost?.url ?? publicUrl;
}

/**
 * Returns the header that tells browsers to use only HTTPS with our host from now on. Omitted on local hosts: it would
 * affect whatever else is developed on this machine.
 */
export function strictTransport(publicUrl: string): readonly string[] {
  if (!publicUrl.startsWith('https:') || hasLocalHost(publicUrl)) return [];
  return ['Strict-Transport-Security', 'max-age=31536000'];
}

const SERVICE: RequestHost = { kind: 'service', name: '' };
const UNKNOWN_SITE: RequestHost = { kind: 'site', name: '' };
const MALFORMED: RequestHost = { kind: 'malformed', name: '' };
const SLASH = 0x2f;
/** The length of a domain name of 253 characters with a dot, a colon and a port. */
const MAX_HOST_CHARACTERS = 260;
const MAX_CACHED_HOSTS = 10_000;

function hostOf(header: string, own: string): RequestHost {
  const match =
    header.length <= MAX_HOST_CHARACTERS ? /^(\[[\da-f:.]+\]|[\w-]+(?:\.[\w-]+)*)\.?(?::\d*)?$/i.exec(header) : null;
  if (!match) return MALFORMED;
  const name = match[1]!.toLowerCase();
  if (name.startsWith('[')) return isIP(name.slice(1, -1)) === 6 ? { kind: 'service', name } : MALFORMED;
  const isService = name === own || !name.includes('.') || isIP(name) !== 0;
  return { kind: isService ? 'service' : 'site', name };
}
