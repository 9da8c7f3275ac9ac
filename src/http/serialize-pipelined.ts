import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** The most waiting requests of one connection: more than any client pipelines. */
const MAX_PIPELINED_REQUESTS = 1000;

/**
 * Calls the listener for one request of a connection at a time, after the previous one has been answered. Node would call it
 * for all pipelined requests at once. Thousands of costly requests in a few packets would be processed in one go, while
 * other connections wait. Besides, RFC 9112, section 9.3.2, allows parallel processing only for safe methods.
 */
export function serializePipelined(listener: Listener): Listener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    // Node assigns the connection to a response when all earlier responses have been sent.
    if (response.socket !== null) return listener(request, response);
    const { socket } = request;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    if (count > MAX_PIPELINED_REQUESTS) return void socket.destroy();
    socket.pause();
    response.once('socket', () => {
      const left = waiting.get(socket)! - 1;
      waiting.set(socket, left);
      if (left === 0) socket.resume();
      listener(request, response);
    });
  };
}
