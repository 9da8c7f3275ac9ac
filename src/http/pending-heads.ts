import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody, isChunked } from './body.ts';
import { ReadTurns, type TurnConnection } from './read-turns.ts';
import { MAX_HEADER_BYTES, MAX_PLAIN_URL_BYTES } from './request-problem.ts';
import { watchReads } from './watch-reads.ts';

/** How much memory unfinished request heads may take together in one process. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;

/**
 * How long no long head is read from after one has been. A request that asks PostgreSQL takes several turns of the event loop, and
 * would wait for as many long heads.
 */
const LONG_HEAD_INTERVAL_MS = 10;

/** A connection that has sent more of a head than this is read from once in a while only. */
const MAX_UNTHROTTLED_BYTES = MAX_PLAIN_URL_BYTES + MAX_HEADER_BYTES;

/** How long a connection counts as busy after its last request. */
const BUSY_MS = 1000;

/** The part of an unfinished request that a connection has sent. */
interface PendingHead {
  readonly bytes: number;
  /** The network that it comes from. */
  readonly network: string;
}

interface Connection extends TurnConnection {
  /** When its last request came, by `performance.now()`. */
  requestedMs: number;
  /** How many bytes Node had read from the connection when its last request, or the last part of a chunked body, was complete. */
  readBytes: number;
  /** How many bytes of an unfinished head have been read since. */
  pendingBytes: number;
  /** The kind of body that is under way. */
  body: 'none' | 'chunked' | 'of known length';
  /** How many of the next reads and writes bring nothing that counts. */
  skippedReads: number;
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
 * comes, so that 20 connections which sent megabytes and then single bytes kept everybody else waiting. Of the long heads, one at
 * a time is read from, with all that has come meanwhile. Quiet connections, and those that send bodies, are read from in turns.
 */
export function trackPendingHeads(onDropped: (socket: Socket) => void): PendingHeads {
  const connections = new Map<Socket, Connection>();
  const turns = new ReadTurns(connections, (connection) => !isBusy(connection));
  /** Connections with long heads, which wait to be read from. */
  const long = new Set<Connection>();
  /** The one that is read from. */
  let reading: Connection | undefined;
  let timer: NodeJS.Timeout | undefined;
  let total = 0;
  const setPending = (connection: Connection, bytes: number) => {
    const isAbove = total > MAX_PENDING_BYTES;
    total += bytes - connection.pendingBytes;
    connection.pendingBytes = bytes;
    if (!isAbove && total > MAX_PENDING_BYTES) setImmediate(dropExcess);
  };
  const dropExcess = () => {
    const heads = [...connections.values()]
      .filter(({ pendingBytes }) => pendingBytes > 0)
      .map((connection) => ({ connection, network: connection.network, bytes: connection.pendingBytes }));
    for (const { connection } of excessHeads(heads, MAX_PENDING_BYTES)) {
      onDropped(connection.socket);
      forget(connection);
      connection.socket.destroy();
    }
  };
  const forget = (connection: Connection) => {
    setPending(connection, 0);
    connections.delete(connection.socket);
    long.delete(connection);
  };
  /** Counts what has been read since the last call. */
  const countRead = (connection: Connection) => {
    const { socket, readBytes, pendingBytes } = connection;
    if (!isBusy(connection)) turns.read(socket.bytesRead - readBytes - pendingBytes);
  };
  const onRead = (connection: Connection) => {
    if (connection.skippedReads > 0) {
      connection.skippedReads -= 1;
      return;
    }
    const bytes = connection.socket.bytesRead - connection.readBytes;
    if (connection.body === 'of known length') {
      turns.read(bytes);
      connection.readBytes += bytes;
      return;
    }
    if (bytes === connection.pendingBytes || !connections.has(connection.socket)) return;
    countRead(connection);
    setPending(connection, bytes);
    if (bytes > MAX_UNTHROTTLED_BYTES && connection !== reading) readLater(connection);
  };
  const readLater = (connection: Connection) => {
    connection.isPaused = true;
    connection.socket.pause();
    long.add(connection);
    timer ??= setTimeout(readLong, LONG_HEAD_INTERVAL_MS).unref();
  };
  const readLong = () => {
    timer = undefined;
    const [connection] = long;
    if (!connection) return;
    reading = connection;
    resume(connection);
    // The event loop reads before it comes to this.
    setImmediate(() => {
      reading = undefined;
      if (connections.has(connection.socket) && connection.pendingBytes > MAX_UNTHROTTLED_BYTES) readLater(connection);
      else if (long.size > 0) timer ??= setTimeout(readLong, LONG_HEAD_INTERVAL_MS).unref();
    });
  };
  const resume = (connection: Connection) => {
    long.delete(connection);
    connection.isPaused = false;
    connection.socket.resume();
  };
  return {
    opened: (socket, network) => {
      const connection: Connection = {
        socket,
        network,
        requestedMs: Number.NEGATIVE_INFINITY,
        readBytes: 0,
        pendingBytes: 0,
        skippedReads: 0,
        body: 'none',
        isPaused: false,
      };
      connections.set(socket, connection);
      socket.once('close', () => forget(connection));
      watchReads(socket, () => onRead(connection));
      turns.opened(connection);
    },
    requested: (request) => {
      const { socket } = request;
      const connection = connections.get(socket);
      if (!connection) return;
      countRead(connection);
      connection.requestedMs = performance.now();
      const parsed = () => {
        connection.readBytes = socket.bytesRead;
        setPending(connection, 0);
        if (connection.isPaused) resume(connection);
      };
      parsed();
      if (!hasBody(request)) {
        // The read that has brought the request, and the answer: most connections need no look at their bytes.
        connection.skippedReads = 2;
        return;
      }
      request.once('close', () => {
        connection.body = 'none';
        connection.readBytes = socket.bytesRead;
      });
      if (!isChunked(request)) {
        connection.body = 'of known length';
        return;
      }
      connection.body = 'chunked';
      // Between its parts, and behind them, there may be as much as in a head, of which Node tells nobody.
      const { push } = request;
      request.push = (...part) => {
        countRead(connection);
        parsed();
        return push.apply(request, part);
      };
    },
    close: () => clearTimeout(timer),
  };
}

/** A connection that has just made requests need not wait behind thousands that have made none. */
function isBusy({ body, requestedMs }: Connection): boolean {
  return body === 'none' && performance.now() - requestedMs <= BUSY_MS;
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
