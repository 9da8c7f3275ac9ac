import type { BlockList, Socket } from 'node:net';
import { isLoopback, isTrusted, network, peerOf } from './client.ts';

interface ConnectionLimit {
  /** How many connections one address may have to all processes together; 0 for no limit. */
  readonly connectionsPerAddress: number;
  readonly workers: number;
  readonly trustProxy: BlockList | undefined;
}

/**
 * Counts connections by the address (IPv6: the /64) they come from. Returns a function that tells whether a new one may stay.
 * Proxies in TRUST_PROXY, which connect for everybody, and this machine, where most proxies run, are not counted.
 */
export function connectionLimit({ connectionsPerAddress, workers, trustProxy }: ConnectionLimit) {
  // The primary hands connections out in turn, so that each process has its part of everybody's.
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
