import type { IncomingMessage } from 'node:http';

/** How long one body is read before the next has its turn. */
const TURN_MS = 5;

/** Requests whose bodies nobody wants; the first of them is being read. */
const unwanted = new Set<IncomingMessage>();

/**
 * Reads the body of a request to its end and throws it away. Of several one is read at a time: the megabytes of a thousand
 * refused requests would keep everybody else waiting.
 */
export function drain(request: IncomingMessage): void {
  request.pause();
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
