import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { RequestContext } from './request-context.ts';

/**
 * Returns the client's IP address and whether it speaks HTTPS, seen through the proxies in `trusted`: their headers are read
 * from the right, up to the first IP address that is not one of them, so that nobody can put in a false one.
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

/** Returns the network that limits count by: an IPv6 customer has a whole /64 at their disposal. */
export function network(ip: string): string {
  if (isIP(ip) !== 6) return ip;
  const [head = '', tail = ''] = ip.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const missing = ip.includes('::') ? 8 - left.length - right.length : 0;
  return [...left, ...Array<string>(Math.max(0, missing)).fill('0'), ...right].slice(0, 4).join(':');
}

/**
 * Tells whether it is a program on this machine that asks, and not somebody through a proxy on it: a proxy adds headers of
 * its own, or passes on the host that was asked for, or speaks HTTP/1.0, as nginx did by itself until 1.29. One that does none of
 * it, but asks for `http://127.0.0.1:8080` over HTTP/1.1 and no more, cannot be told from a program.
 */
export function isLocal({ request, ip }: RequestContext): boolean {
  const { headers, httpVersion } = request;
  if (!isLoopback(ip) || !localHostHeader.test(headers.host ?? '')) return false;
  // The checks of load balancers speak HTTP/1.0 as well, but name no host.
  if (httpVersion === '1.0' && headers.host) return false;
  return Object.keys(headers).every((name) => clientHeaders.has(name) || name.startsWith('sec-'));
}

const localHostHeader = /^(?:(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d*)?)?$/i;

/**
 * The headers that Prometheus, other programs and browsers send themselves. Every other one may be a proxy's, which says with it
 * whom it asks for, or who it is: there is no end to their names.
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

/** IPv4 clients of an IPv6 socket come as `::ffff:192.0.2.1`. */
function plainIp(ip: string): string {
  return ip.startsWith('::ffff:') && ip.includes('.') ? ip.slice(7) : ip;
}
