import type { IncomingMessage, ServerResponse } from 'node:http';

const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/** Records that the client waits for `100 Continue` before it sends the request's body. */
export function deferContinue(request: IncomingMessage, response: ServerResponse): void {
  waiting.set(request, response);
}

/**
 * Sends `100 Continue` if the client waits for it. Call this when the body is about to be read and the request is valid
 * otherwise, so that a refused client does not send its body.
 */
export function sendContinue(request: IncomingMessage): void {
  const response = waiting.get(request);
  if (!response) return;
  waiting.delete(request);
  if (!response.headersSent && !response.destroyed) response.writeContinue();
}
