import type { Socket } from 'node:net';

/** A method of sockets that Node's types leave out. */
interface SocketWithTimer {
  _unrefTimer: () => void;
}

/**
 * Calls the listener after each read from the connection of an HTTP server, and before some writes. Node's parser takes what a
 * connection sends without any event; the timeout, which it starts anew with each read, is the one thing that can be followed. A
 * listener to `data` would take the connection away from the parser, which costs a tenth of all requests.
 */
export function watchReads(socket: Socket, listener: () => void): void {
  const timed = socket as unknown as SocketWithTimer;
  const restartTimeout = timed._unrefTimer;
  timed._unrefTimer = () => {
    restartTimeout.call(timed);
    listener();
  };
}
