import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody, isChunked } from './body.ts';
import { ReadTurns, type TurnConnection } from './read-turns.ts';
import { MAX_HEADER_BYTES, MAX_PLAIN_URL_BYTES } from './request-problem.ts';
import { watchReads } from './watch-reads.ts';

/** The most bytes of unfinished request heads that one process holds. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;

/**
 * The interval at which long heads are read. A request that queries PostgreSQL takes several turns of the event loop, and
 * would wait for as many long heads.
 */
const LONG_HEAD_INTERVAL_MS = 10;

/** A head that is longer than this is read only at intervals. */
export const MAX_UNTHROTTLED_BYTES = MAX_PLAIN_URL_BYTES + MAX_HEADER_BYTES;

/** The time for which a connection counts as busy after its last request. */
const BUSY_MS = 1000;

/** The part of an unfinished request head that has been received. */
interface PendingHead {
  readonly bytes: number;
  /** The network that the connection comes from. */
  readonly network: string;
}

interface Connection extends TurnConnection {
  /** When the last request on the connection arrived, by `performance.now()`. */
  requestedMs: number;
  /**
   * The number of bytes that Node had read from the connection when its last request, or the last part of a chunked body,
   * was complete.
   */
  readBytes: number;
  /** The number of bytes of an unfinished head that have been read since then. */
  pendingBytes: number;
  /** The kind of body that is being received. */
  body: 'none' | 'chunked' | 'of known length';
  /** The number of coming calls of `onRead` to skip because they bring no bytes of a head. */
  skippedReads: number;
}

interface PendingHeads {
  readonly opened: (socket: Socket, network: string) => void;
  readonly requested: (request: IncomingMessage) => void;
  readonly close: () => void;
}

/**
 * Bounds the memory of unfinished request heads. A URL may have megabytes, and a thousand connections that never finish one
 * would hold gigabytes for a minute. Beyond the limit, the network that holds most loses connections first.
 *
 * Also bounds the time that reading heads takes. Node's parser copies all it has of a URL or header whenever more of it
 * arrives. That way, 20 connections that sent megabytes and then single bytes held up all other requests. One long head is
 * read at a time, with all that has arrived meanwhile. Idle connections, and those that send bodies, are read in turns.
 */
export function trackPendingHeads(onDropped: (socket: Socket) => void): PendingHeads {
  const connections = new Map<Socket, Connection>();
  const turns = new ReadTurns(connections, (connection) => !isBusy(connection));
  /** Connections with long heads that wait to be read. */
  const long = new Set<Connection>();
  /** The connection with a long head that is being read. */
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
      remove(connection);
      connection.socket.destroy();
    }
  };
  const remove = (connection: Connection) => {
    setPending(connection, 0);
    connections.delete(connection.socket);
    long.delete(connection);
  };
  /** Counts the bytes that have been read since the last call. */
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
    connection.isInQueue = false;
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
    // The event loop reads from connections before it runs this.
    setImmediate(() => {
      reading = undefined;
      if (connections.has(connection.socket) && connection.pendingBytes > MAX_UNTHROTTLED_BYTES) readLater(connection);
      else if (long.size > 0) timer ??= setTimeout(readLong, LONG_HEAD_INTERVAL_MS).unref();
    });
  };
  const resume = (connection: Connection) => {
    long.delete(connection);
    connection.isInQueue = false;
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
        isInQueue: false,
      };
      connections.set(socket, connection);
      socket.once('close', () => remove(connection));
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
        if (connection.isInQueue || long.has(connection)) resume(connection);
      };
      parsed();
      if (!hasBody(request)) {
        // Node restarts the timeout, which calls `onRead`, twice more for a request without a body: after the read that brought
        // it, and before the write of its answer. Neither brings bytes of another head. Skipping both saves time.
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
      // Between and after the chunks there may be as many bytes as in a head, and Node emits no event for them. They count as
      // pending until the parser calls `push` with the next chunk, or with null for the end of the body. A listener for `data`
      // would make the body flow before the route reads it.
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

/** Returns whether the connection has just sent requests. It need not wait behind thousands that have sent none. */
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
