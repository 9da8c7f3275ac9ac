import type { Socket } from 'node:net';

/** From how many connections may be read in one turn of the event loop. */
const MAX_CONNECTIONS = 8;

export interface TurnConnection {
  readonly socket: Socket;
  readonly network: string;
  /** Whether it waits to be read from. */
  isPaused: boolean;
}

/**
 * Bounds from how many connections of one kind is read in one turn of the event loop. It reads up to 128 KB from each of those that
 * have sent something: a thousand connections that wait, and then send at once, would keep everybody else waiting for 160 ms. As
 * soon as enough have been read from, all others of the kind are paused, and wait for later turns; networks take turns.
 */
export class ReadTurns<T extends TurnConnection> {
  readonly #connections: ReadonlyMap<Socket, T>;
  readonly #isOfKind: (connection: T) => boolean;
  /** Those that have been read from in this turn. */
  readonly #read = new Set<T>();
  /** Paused connections by network. */
  readonly #waiting = new Map<string, T[]>();
  #isScheduled = false;

  constructor(connections: ReadonlyMap<Socket, T>, isOfKind: (connection: T) => boolean) {
    this.#connections = connections;
    this.#isOfKind = isOfKind;
  }

  /** To be called with a new connection. */
  opened(connection: T): void {
    if (this.#waiting.size > 0 || this.#read.size >= MAX_CONNECTIONS) this.#wait(connection);
  }

  /** To be called when something has been read from a connection of the kind. */
  read(connection: T): void {
    if (this.#read.size === this.#read.add(connection).size) return;
    if (this.#read.size === MAX_CONNECTIONS) this.#pauseOthers();
    this.#scheduleTurn();
  }

  #pauseOthers(): void {
    for (const connection of this.#connections.values()) {
      if (this.#read.has(connection) || connection.socket.isPaused()) continue;
      if (this.#isOfKind(connection)) this.#wait(connection);
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
    this.#read.clear();
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
