import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from './body.ts';
import { MAX_HEADER_BYTES, MAX_PLAIN_URL_BYTES } from './request-problem.ts';

/** How much memory unfinished request heads may take together in one process. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;

/** How often the heads are measured: Node has no event for their bytes. */
const CHECK_INTERVAL_MS = 50;

/** So many new connections trigger a check at once: the event loop may take longer than the interval to read them. */
const CHECK_AFTER_CONNECTIONS = 16;

/** A connection that has sent more of a head than this is read from once in a while only. */
const MAX_UNTHROTTLED_BYTES = MAX_PLAIN_URL_BYTES + MAX_HEADER_BYTES;

/** How many bytes of long heads may be read after one check. */
const MAX_COPIED_BYTES = 8 * 1024 * 1024;

/** The part of an unfinished request that a connection has sent. */
interface PendingHead {
  readonly bytes: number;
  /** The network that it comes from. */
  readonly network: string;
}

interface Connection {
  readonly network: string;
  /** How many bytes Node had read from the connection when its last request was complete. */
  readBytes: number;
  /** Whether a body of unknown length is under way. */
  isReceiving: boolean;
  /** Whether it waits to be read from. */
  isPaused: boolean;
}

interface PendingHeads {
  readonly opened: (socket: Socket, network: string) => void;
  readonly requested: (request: IncomingMessage) => void;
  readonly close: () => void;
}

/**
 * Bounds the memory of unfinished request heads: a URL may have megabytes, and a thousand connections that never finish one
 * would hold gigabytes for a minute. Beyond the bound, the network that holds most loses connections first.
 *
 * Also bounds what it costs to read them. Node's parser copies all it has of a URL or a header each time that more of it
 * comes, so that 20 connections which sent megabytes and then single bytes kept everybody else waiting. A long head is read
 * from after a check only, with all that has come meanwhile; such connections take turns.
 */
export function trackPendingHeads(onDropped: (socket: Socket) => void): PendingHeads {
  const connections = new Map<Socket, Connection>();
  let openedSinceCheck = 0;
  const check = () => {
    openedSinceCheck = 0;
    let total = 0;
    const long: Socket[] = [];
    for (const [socket, connection] of connections) {
      const bytes = pendingBytes(socket, connection);
      total += bytes;
      if (bytes > MAX_UNTHROTTLED_BYTES) long.push(socket);
    }
    if (long.length > 0) readInTurn(long);
    if (total <= MAX_PENDING_BYTES) return;
    const heads = [...connections]
      .filter(([, { isReceiving }]) => !isReceiving)
      .map(([socket, { network, readBytes }]) => ({ socket, network, bytes: socket.bytesRead - readBytes }));
    for (const { socket } of excessHeads(heads, MAX_PENDING_BYTES)) {
      onDropped(socket);
      socket.destroy();
    }
  };
  /** Lets some of the connections read once what has arrived, and pauses the others. */
  const readInTurn = (long: readonly Socket[]) => {
    let copied = 0;
    for (const socket of long) {
      const connection = connections.get(socket)!;
      const bytes = pendingBytes(socket, connection);
      if (connection.isPaused && (copied === 0 || copied + bytes <= MAX_COPIED_BYTES)) {
        copied += bytes;
        // Behind the others for the next check.
        connections.delete(socket);
        connections.set(socket, connection);
        connection.isPaused = false;
        socket.resume();
      } else pause(socket, connection);
    }
    // The event loop reads before it comes to this.
    setImmediate(() => {
      for (const socket of long) {
        const connection = connections.get(socket);
        if (connection && pendingBytes(socket, connection) > MAX_UNTHROTTLED_BYTES) pause(socket, connection);
      }
    });
  };
  const timer = setInterval(check, CHECK_INTERVAL_MS).unref();
  return {
    opened: (socket, network) => {
      connections.set(socket, { network, readBytes: 0, isReceiving: false, isPaused: false });
      socket.once('close', () => connections.delete(socket));
      openedSinceCheck += 1;
      if (openedSinceCheck === CHECK_AFTER_CONNECTIONS) setImmediate(check);
    },
    requested: (request) => {
      const { socket } = request;
      const connection = connections.get(socket);
      if (!connection) return;
      connection.readBytes = socket.bytesRead;
      if (connection.isPaused) {
        connection.isPaused = false;
        socket.resume();
      }
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

/** Returns how many bytes of an unfinished request have arrived. */
function pendingBytes(socket: Socket, { readBytes, isReceiving }: Connection): number {
  return isReceiving ? 0 : socket.bytesRead - readBytes;
}

function pause(socket: Socket, connection: Connection): void {
  connection.isPaused = true;
  socket.pause();
}

/** Returns the heads to drop so that the rest fits: repeatedly the largest head of the network that holds most. */
export function excessHeads<T extends PendingHead>(heads: readonly T[], maxBytes: number): T[] {
  let total = heads.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= maxBytes) return [];
  const holders = Map.groupBy(
    heads.toSorted((a, b) => a.bytes - b.bytes),
    ({ network }) => network,
  );
  const held = new Map([...holders].map(([network, own]) => [network, own.reduce((sum, { bytes }) => sum + bytes, 0)]));
  const gone: T[] = [];
  while (total > maxBytes) {
    const [network] = [...held].reduce((most, one) => (one[1] > most[1] ? one : most));
    const head = holders.get(network)!.pop()!;
    held.set(network, held.get(network)! - head.bytes);
    total -= head.bytes;
    gone.push(head);
  }
  return gone;
}
