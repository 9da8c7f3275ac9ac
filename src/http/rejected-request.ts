import type { Socket } from 'node:net';
import type { HttpResponse } from './request-context.ts';

/** The facts to log about a response to bytes that could not be parsed as a request. */
export interface RejectedRequest {
  readonly id: string;
  readonly status: number;
  readonly ip: string;
}

/** Returns the error for bytes that are not HTTP or arrive too slowly, or undefined if the client cannot be answered. */
export function parserError(error: NodeJS.ErrnoException, socket: Socket) {
  // The client already has its response. Everything else it sends would cause another error.
  if (socket.writableEnded && !socket.destroyed) return undefined;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        reason: 'Request Header Fields Too Large',
        message: 'The URL or the headers are too long.',
      };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, reason: 'Request Timeout', message: 'The request took too long to arrive.' };
    case 'HPE_INVALID_URL':
      return {
        status: 400,
        reason: 'Bad Request',
        message: 'The URL has characters that must be percent-encoded: an é is %C3%A9.',
      };
    default:
      return { status: 400, reason: 'Bad Request', message: 'The request is not valid HTTP.' };
  }
}

/** The longest that a rejected client may go on sending. */
const LINGER_TIMEOUT_MS = 10_000;

/** Sends the last response on a connection that has no valid request, and closes it. */
export function closeWithResponse(
  socket: Socket,
  { id, status }: RejectedRequest,
  reason: string,
  { headers, body }: HttpResponse,
): void {
  const lines = [`HTTP/1.1 ${status} ${reason}`, 'Connection: close', `X-Request-Id: ${id}`];
  for (let index = 0; index < headers.length; index += 2) lines.push(`${headers[index]}: ${headers[index + 1]}`);
  // Node removes its own error listener from the socket of a CONNECT: a reset connection would end the process.
  socket.on('error', () => {});
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1');
  // Closing the connection while the client still sends can destroy the response: read on for a while, then close.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_TIMEOUT_MS).unref();
}
