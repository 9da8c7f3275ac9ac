import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { RequestContext } from './request-context.ts';

/**
 * Returns the client's IP address and whether it uses HTTPS, as reported by the proxies in `trusted`. `X-Forwarded-For` is
 * read from the right up to the first address that is not a trusted proxy, so that a client cannot forge its address.
 */
export function clientOf(request: IncomingMessage, trusted: BlockList | undefined): { ip: string; isHttps: boolean } {
  const { socket, headers } = request;
  const peer = peerOf(socket);
  const isHttps = (socket as TLSSocket).encrypted === true;
  if (!trusted || !isTrusted(peer, trusted)) return { ip: peer, isHttps };

  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => plainIp(part.trim()));
  let ip = peer;
  while (forwarded.length > 0) {
    const next = forwarded.pop() ?? '';
    if (isIP(next) === 0) break;
    ip = next;
    if (!isTrusted(next, trusted)) break;
  }
  const protocol = String(headers['x-forwarded-proto'] ?? '')
    .split(',')
    .at(-1)
    ?.trim()
    .toLowerCase();
  return { ip, isHttps: protocol ? protocol === 'https' : isHttps };
}

/** Returns the IP address at the other end of the connection: the client's, or that of the last proxy. */
export function peerOf({ remoteAddress }: Socket): string {
  return plainIp(remoteAddress ?? '');
}

/** Returns the network that limits count by. An IPv6 customer has a whole /64 to choose addresses from. */
export function network(ip: string): string {
  if (isIP(ip) !== 6) return ip;
  const [head = '', tail = ''] = ip.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const missing = ip.includes('::') ? 8 - left.length - right.length : 0;
  return [...left, ...Array<string>(Math.max(0, missing)).fill('0'), ...right].slice(0, 4).join(':');
}

/**
 * Returns whether the request comes from a program on this machine, rather than from a client through a proxy on it. A proxy
 * adds its own headers, passes on the requested host, or speaks HTTP/1.0, as nginx did by default until 1.29. A proxy that
 * does nothing of this, and requests `http://127.0.0.1:8080` over HTTP/1.1, cannot be told from a program.
 */
export function isLocal({ request, ip }: RequestContext): boolean {
  const { headers, httpVersion } = request;
  if (!isLoopback(ip) || !localHostHeader.test(headers.host ?? '')) return false;
  // The health checks of load balancers also speak HTTP/1.0, but without a Host header.
  if (httpVersion === '1.0' && headers.host) return false;
  return Object.keys(headers).every((name) => clientHeaders.has(name) || name.startsWith('sec-'));
}

const localHostHeader = /^(?:(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d*)?)?$/i;

/**
 * The headers that Prometheus, other programs and browsers send themselves. Any other header may come from a proxy that
 * identifies itself or its client with it; the names of those headers cannot be listed.
 */
const clientHeaders: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'authorization', 'cache-control', 'connection', 'content-length'],
  ...['cookie', 'dnt', 'host', 'pragma', 'priority', 'upgrade-insecure-requests', 'user-agent'],
  'x-prometheus-scrape-timeout-seconds',
]);

export function isLoopback(ip: string): boolean {
  return ip === '::1' || ip.startsWith('127.');
}

export function isTrusted(ip: string, trusted: BlockList): boolean {
  return trusted.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4');
}

/** Returns the IPv4 address of a client that an IPv6 socket reports as `::ffff:192.0.2.1`. */
function plainIp(ip: string): string {
  return ip.startsWith('::ffff:') && ip.includes('.') ? ip.slice(7) : ip;
}
