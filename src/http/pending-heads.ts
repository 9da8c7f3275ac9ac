import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody, isChunked } from './body.ts';
import { MAX_HEADER_BYTES, MAX_PLAIN_URL_BYTES } from './request-problem.ts';

/** How much memory unfinished request heads may take together in one process. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;

/** How often the heads are measured: Node has no event for their bytes. */
const CHECK_INTERVAL_MS = 50;

/**
 * How many new connections are read from in one turn of the event loop. It reads up to 1 MB from each: a thousand that are opened
 * at once would keep everybody else waiting. For a while after a long head, only one is read from.
 */
const MAX_ADMITTED_CONNECTIONS = 8;

/** How long new connections are read from one at a time after a long head. Who sends one will send more. */
const CAUTION_MS = 1000;

/**
 * How long no new connection is read from after a long head. A request that asks PostgreSQL takes several turns of the event loop, and
 * would wait for as many long heads.
 */
const PAUSE_AFTER_LONG_HEAD_MS = 10;

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
  /** How many bytes Node had read from the connection when its last request, or the last part of a chunked body, was complete. */
  readBytes: number;
  /** Whether a body of known length is under way. */
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
  /** New connections that wait to be read from, by network. */
  const arriving = new Map<string, Socket[]>();
  /** The new connections that are read from in this turn of the event loop, and how many there may be. */
  let admitted: Socket[] = [];
  let maxAdmitted = MAX_ADMITTED_CONNECTIONS;
  /** When a new connection last sent a long head. */
  let longHeadMs = Number.NEGATIVE_INFINITY;
  /** The paused connections with long heads that are read from until the next check. */
  let due: Socket[] = [];
  let isReading = false;
  const check = (read: (long: readonly Socket[]) => void) => {
    let total = 0;
    const long: Socket[] = [];
    for (const [socket, connection] of connections) {
      const bytes = pendingBytes(socket, connection);
      total += bytes;
      if (bytes > MAX_UNTHROTTLED_BYTES) long.push(socket);
    }
    if (long.length > 0) read(long);
    if (total <= MAX_PENDING_BYTES) return;
    const heads = [...connections]
      .filter(([, { isReceiving }]) => !isReceiving)
      .map(([socket, { network, readBytes }]) => ({ socket, network, bytes: socket.bytesRead - readBytes }));
    for (const { socket } of excessHeads(heads, MAX_PENDING_BYTES)) {
      onDropped(socket);
      socket.destroy();
    }
  };
  /** Lets some of the connections read once what has arrived, one after another, and pauses the others. */
  const readInTurn = (long: readonly Socket[]) => {
    let copied = 0;
    due = [];
    for (const socket of long) {
      const connection = connections.get(socket)!;
      const bytes = pendingBytes(socket, connection);
      if (connection.isPaused && (copied === 0 || copied + bytes <= MAX_COPIED_BYTES)) {
        copied += bytes;
        due.push(socket);
      } else pause(socket, connection);
    }
    if (!isReading) readNext();
  };
  const readNext = () => {
    const socket = due.shift();
    isReading = socket !== undefined;
    if (!socket) return;
    const connection = connections.get(socket);
    if (connection?.isPaused) {
      // Behind the others for the next check.
      connections.delete(socket);
      connections.set(socket, connection);
      connection.isPaused = false;
      socket.resume();
    }
    // The event loop reads before it comes to this.
    setImmediate(() => {
      pauseLong([socket]);
      readNext();
    });
  };
  const pauseLong = (sockets: readonly Socket[]) => {
    for (const socket of sockets) {
      const connection = connections.get(socket);
      if (connection && pendingBytes(socket, connection) > MAX_UNTHROTTLED_BYTES) pause(socket, connection);
    }
  };
  const admitLater = () => {
    setImmediate(() => {
      if (!admitted.some(({ bytesRead }) => bytesRead > MAX_UNTHROTTLED_BYTES)) return admit();
      longHeadMs = performance.now();
      maxAdmitted = 1;
      check(pauseLong);
      setTimeout(admit, PAUSE_AFTER_LONG_HEAD_MS).unref();
    });
  };
  /** Lets the next new connections be read from; networks take turns. */
  const admit = () => {
    maxAdmitted = performance.now() - longHeadMs < CAUTION_MS ? 1 : MAX_ADMITTED_CONNECTIONS;
    admitted = [];
    check(pauseLong);
    for (const [network, sockets] of arriving) {
      if (admitted.length === maxAdmitted) break;
      const socket = sockets.shift()!;
      arriving.delete(network);
      if (sockets.length > 0) arriving.set(network, sockets);
      const connection = connections.get(socket);
      if (!connection) continue;
      admitted.push(socket);
      connection.isPaused = false;
      socket.resume();
    }
    if (admitted.length > 0) admitLater();
  };
  const timer = setInterval(() => check(readInTurn), CHECK_INTERVAL_MS).unref();
  return {
    opened: (socket, network) => {
      const connection = { network, readBytes: 0, isReceiving: false, isPaused: false };
      connections.set(socket, connection);
      socket.once('close', () => connections.delete(socket));
      if (admitted.length === 0) admitLater();
      if (admitted.length < maxAdmitted) {
        admitted.push(socket);
        return;
      }
      pause(socket, connection);
      arriving.getOrInsertComputed(network, () => []).push(socket);
    },
    requested: (request) => {
      const { socket } = request;
      const connection = connections.get(socket);
      if (!connection) return;
      const parsed = () => {
        connection.readBytes = socket.bytesRead;
        if (!connection.isPaused) return;
        connection.isPaused = false;
        socket.resume();
      };
      parsed();
      if (!hasBody(request)) return;
      if (isChunked(request)) {
        // Between its parts, and behind them, there may be as much as in a head, of which Node tells nobody.
        const { push } = request;
        request.push = (...part) => {
          parsed();
          return push.apply(request, part);
        };
        return;
      }
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
