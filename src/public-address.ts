import { Resolver } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** IPv4 networks outside the public internet: those in IANA's registry of special-purpose addresses, and multicast. */
const special = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  special.addSubnet(network, prefix, 'ipv4');
}
/** Special networks within the public range of IPv6. Some of them lead to IPv4 addresses. */
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  special.addSubnet(network, prefix, 'ipv6');
}
const publicIpv6 = new BlockList();
publicIpv6.addSubnet('2000::', 3, 'ipv6');

/** Returns true if an IP address is not on the public internet. */
function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 4) return special.check(address, 'ipv4');
  return !publicIpv6.check(address, 'ipv6') || special.check(address, 'ipv6');
}

/**
 * Returns true if a URL's host is an IP address that is not on the public internet. Names are resolved later, when
 * something is sent.
 */
export function isPrivateHost(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) !== 0 && isPrivateAddress(address);
}

export class PrivateAddress extends Error {
  constructor() {
    super('The address leads into a private network.');
  }
}

/**
 * Returns a lookup function that fails if any address of a name is private. The connection uses the very addresses that
 * were checked, so a name cannot resolve differently a moment later. It queries the DNS itself: the system's lookup would
 * occupy one of the few threads that reading files needs, for as long as an attacker's name server likes.
 */
export function publicLookup(dnsServers: readonly string[]): LookupFunction {
  const resolver = new Resolver({ timeout: 3000, tries: 2 });
  if (dnsServers.length > 0) resolver.setServers(dnsServers);
  return (hostname, { all }, callback) => {
    const found: Array<{ address: string; family: number }> = [];
    let left = 2;
    let failure: NodeJS.ErrnoException | null = null;
    const done = (family: 4 | 6) => (error: NodeJS.ErrnoException | null, addresses: readonly string[]) => {
      if (error) failure = error;
      else found.push(...addresses.map((address) => ({ address, family })));
      left -= 1;
      if (left > 0) return;
      if (found.some(({ address }) => isPrivateAddress(address))) return callback(new PrivateAddress(), '');
      const [first] = found;
      if (!first) return callback(failure ?? new Error('The name has no address.'), '');
      if (all) return callback(null, found);
      return callback(null, first.address, first.family);
    };
    resolver.resolve4(hostname, done(4));
    resolver.resolve6(hostname, done(6));
  };
}

/** Returns the sentence for a failed connection. */
export function connectionFailure(error: Error & { code?: string }): string {
  if (error instanceof PrivateAddress) return error.message;
  if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') {
    return 'The address cannot be reached: no server has its host name.';
  }
  // An `AggregateError` of several addresses has no message of its own.
  return `The address cannot be reached: ${error.message || error.code || error.name}`;
}
