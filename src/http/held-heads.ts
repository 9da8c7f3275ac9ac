import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from './body.ts';

/** How much the beginnings of requests may take up together, in one process. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

/** How often they are looked at. Node reads what comes without telling anybody. */
const CHECK_INTERVAL_MS = 50;

/** What a connection has sent of a request that is not there yet. */
export interface HeldHead {
  readonly bytes: number;
  /** Whose it is: an address, or a network. */
  readonly whose: string;
}

interface Connection {
  readonly whose: string;
  /** What had been read of it when its last request was there. */
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
 * Bounds what unfinished requests take up: a URL may have megabytes, and a thousand connections that never end theirs held
 * gigabytes for a minute. Beyond the bound, whoever holds most loses connections first, so that others still get through.
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

/** Returns what has to go for the rest to fit: the largest of whoever holds most, again and again. */
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
