import type { Socket } from 'node:net';

/** The most bytes that are read in one turn of the event loop. Reading 1 MB from connections takes 2 ms. */
const MAX_BYTES = 1024 * 1024;

/** The most waiting connections that are read in one turn. Node reads up to 128 KB from each. */
const MAX_CONNECTIONS = 8;

export interface TurnConnection {
  readonly socket: Socket;
  readonly network: string;
  /** True if `ReadTurns` has paused the connection until its turn. Clear it to take over: its turn is then skipped. */
  isInQueue: boolean;
}

/**
 * Bounds how much is read in one turn of the event loop from connections that have to take turns. Node reads up to 128 KB
 * from every connection with data. A thousand idle connections that send this much at once would hold up all other requests
 * for 160 ms. When enough has been read, all other connections are paused until later turns; networks take turns. Bytes are
 * counted rather than connections: thousands of connections with an occasional small request would otherwise wait for each
 * other.
 */
export class ReadTurns<T extends TurnConnection> {
  readonly #connections: ReadonlyMap<Socket, T>;
  readonly #mustTakeTurns: (connection: T) => boolean;
  /** The number of bytes read in this turn. */
  #bytes = 0;
  /** Paused connections by network. */
  readonly #waiting = new Map<string, T[]>();
  #isScheduled = false;

  constructor(connections: ReadonlyMap<Socket, T>, mustTakeTurns: (connection: T) => boolean) {
    this.#connections = connections;
    this.#mustTakeTurns = mustTakeTurns;
  }

  /** Call this for every new connection. */
  opened(connection: T): void {
    if (this.#waiting.size > 0 || this.#bytes >= MAX_BYTES) this.#wait(connection);
  }

  /** Call this when bytes have been read from a connection that has to take turns. */
  read(bytes: number): void {
    if (bytes === 0) return;
    const hasRoom = this.#bytes < MAX_BYTES;
    this.#bytes += bytes;
    if (hasRoom && this.#bytes >= MAX_BYTES) this.#pauseAll();
    this.#scheduleTurn();
  }

  #pauseAll(): void {
    for (const connection of this.#connections.values()) {
      if (!connection.socket.isPaused() && this.#mustTakeTurns(connection)) this.#wait(connection);
    }
  }

  #wait(connection: T): void {
    connection.socket.pause();
    // The connection may be waiting already, and have been resumed by Node for the body of a request.
    if (connection.isInQueue) return;
    connection.isInQueue = true;
    this.#waiting.getOrInsertComputed(connection.network, () => []).push(connection);
    this.#scheduleTurn();
  }

  #scheduleTurn(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#nextTurn);
  }

  readonly #nextTurn = (): void => {
    this.#isScheduled = false;
    this.#bytes = 0;
    let count = 0;
    for (const [network, connections] of this.#waiting) {
      if (count === MAX_CONNECTIONS) break;
      const connection = connections.shift()!;
      // Queue this network again behind the others.
      this.#waiting.delete(network);
      if (connections.length > 0) this.#waiting.set(network, connections);
      if (!connection.isInQueue || !this.#connections.has(connection.socket)) continue;
      count += 1;
      connection.isInQueue = false;
      connection.socket.resume();
    }
    if (this.#waiting.size > 0) this.#scheduleTurn();
  };
}
