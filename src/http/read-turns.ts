import type { Socket } from 'node:net';

/** How many bytes may be read in one turn of the event loop: 1 MB from a connection takes it 2 ms. */
const MAX_BYTES = 1024 * 1024;

/** How many connections that wait are read from in one turn. Node reads up to 128 KB from each. */
const MAX_CONNECTIONS = 8;

export interface TurnConnection {
  readonly socket: Socket;
  readonly network: string;
  /** Whether it waits to be read from. */
  isPaused: boolean;
}

/**
 * Bounds how much is read in one turn of the event loop from connections that have to take turns. Node reads up to 128 KB from each of those
 * that have sent something: a thousand connections that wait, and then send that much at once, would keep everybody else waiting for
 * 160 ms. As soon as enough has been read, all others are paused, and wait for later turns; networks take turns.
 * Connections are not counted: thousands that are used now and then, each for a small request, would wait for each other.
 */
export class ReadTurns<T extends TurnConnection> {
  readonly #connections: ReadonlyMap<Socket, T>;
  readonly #mustTakeTurns: (connection: T) => boolean;
  /** How much has been read in this turn. */
  #bytes = 0;
  /** Paused connections by network. */
  readonly #waiting = new Map<string, T[]>();
  #isScheduled = false;

  constructor(connections: ReadonlyMap<Socket, T>, mustTakeTurns: (connection: T) => boolean) {
    this.#connections = connections;
    this.#mustTakeTurns = mustTakeTurns;
  }

  /** To be called with a new connection. */
  opened(connection: T): void {
    if (this.#waiting.size > 0 || this.#bytes >= MAX_BYTES) this.#wait(connection);
  }

  /** To be called when bytes have been read from a connection that has to take turns. */
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
    // Node may have resumed it for the body of a request.
    if (connection.isPaused) return;
    connection.isPaused = true;
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
      // Behind the other networks.
      this.#waiting.delete(network);
      if (connections.length > 0) this.#waiting.set(network, connections);
      if (!connection.isPaused || !this.#connections.has(connection.socket)) continue;
      count += 1;
      connection.isPaused = false;
      connection.socket.resume();
    }
    if (this.#waiting.size > 0) this.#scheduleTurn();
  };
}
