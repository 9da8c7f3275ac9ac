import type { BlockList, Socket } from 'node:net';
import { isLoopback, isTrusted, network, peerOf } from './client.ts';

interface ConnectionLimit {
  /** The most connections of one address to all processes together; 0 for no limit. */
  readonly connectionsPerAddress: number;
  readonly workers: number;
  readonly trustProxy: BlockList | undefined;
}

/**
 * Counts connections by the address (IPv6: the /64) they come from. Returns a function that tells whether a new connection
 * may stay. Connections from proxies in TRUST_PROXY, which carry many clients, and from this machine, where most proxies
 * run, do not count.
 */
export function connectionLimit({ connectionsPerAddress, workers, trustProxy }: ConnectionLimit) {
  // The primary process hands out connections in turn, so each process gets an equal part of every address's connections.
  const max = connectionsPerAddress === 0 ? Number.POSITIVE_INFINITY : Math.ceil(connectionsPerAddress / workers);
  const counts = new Map<string, number>();

  return (socket: Socket): boolean => {
    const peer = peerOf(socket);
    if (isLoopback(peer) || (trustProxy && peer !== '' && isTrusted(peer, trustProxy))) return true;
    const key = network(peer);
    const count = (counts.get(key) ?? 0) + 1;
    if (count > max) return false;
    counts.set(key, count);
    socket.once('close', () => {
      const left = counts.get(key)! - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    });
    return true;
  };
}
