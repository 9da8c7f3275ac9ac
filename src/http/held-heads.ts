import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from './body.ts';

/** How much memory unfinished request heads may take together in one process. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

/** How often the heads are measured: Node has no event for their bytes. */
const CHECK_INTERVAL_MS = 50;

/** The part of an unfinished request that a connection has sent. */
export interface HeldHead {
  readonly bytes: number;
  /** The network that it comes from. */
  readonly whose: string;
}

interface Connection {
  readonly whose: string;
  /** How many bytes Node had read from the connection when its last request was complete. */
  readBytes: number;
  /** Whether a body of unknown length is under way. */
  isReceiving: boolean;
}

export interface HeldHeads {
  readonly opened: (socket: Socket, whose: string) => void;
  readonly requested: (request: IncomingMessage) => void;
  readonly close: () => void;
}

/**
 * Bounds the memory of unfinished request heads: a URL may have megabytes, and a thousand connections that never finish one
 * would hold gigabytes for a minute. Beyond the bound, the network that holds most loses connections first.
 */
export function holdHeads(onDropped: (socket: Socket) => void): HeldHeads {
  const connections = new Map<Socket, Connection>();
  const check = () => {
    let total = 0;
    for (const [socket, { readBytes, isReceiving }] of connections)
      if (!isReceiving) total += socket.bytesRead - readBytes;
    if (total <= MAX_HELD_BYTES) return;
    const heads = [...connections]
      .filter(([, { isReceiving }]) => !isReceiving)
      .map(([socket, { whose, readBytes }]) => ({ socket, whose, bytes: socket.bytesRead - readBytes }));
    for (const { socket } of tooMuch(heads, MAX_HELD_BYTES)) {
      onDropped(socket);
      socket.destroy();
    }
  };
  const timer = setInterval(check, CHECK_INTERVAL_MS).unref();
  return {
    opened: (socket, whose) => {
      connections.set(socket, { whose, readBytes: 0, isReceiving: false });
      socket.once('close', () => connections.delete(socket));
    },
    requested: (request) => {
      const { socket } = request;
      const connection = connections.get(socket);
      if (!connection) return;
      connection.readBytes = socket.bytesRead;
      if (!hasBody(request)) return;
      connection.isReceiving = true;
      request.once('close', () => {
        connection.isReceiving = false;
        connection.readBytes = socket.bytesRead;
      });
    },
    close: () => clearInterval(timer),
  };
}

/** Returns the heads to drop so that the rest fits: repeatedly the largest head of the network that holds most. */
export function tooMuch<T extends HeldHead>(heads: readonly T[], maxBytes: number): T[] {
  let total = heads.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= maxBytes) return [];
  const holders = Map.groupBy(
    heads.toSorted((a, b) => a.bytes - b.bytes),
    ({ whose }) => whose,
  );
  const held = new Map([...holders].map(([whose, own]) => [whose, own.reduce((sum, { bytes }) => sum + bytes, 0)]));
  const gone: T[] = [];
  while (total > maxBytes) {
    const [whose] = [...held].reduce((most, one) => (one[1] > most[1] ? one : most));
    const head = holders.get(whose)!.pop()!;
    held.set(whose, held.get(whose)! - head.bytes);
    total -= head.bytes;
    gone.push(head);
  }
  return gone;
}
