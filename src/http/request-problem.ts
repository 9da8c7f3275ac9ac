import type { IncomingMessage } from 'node:http';
import { isChunked } from './body.ts';

/**
 * The longest URL, except for creations through the API, which may have their fields in the URL: MAX_URL_BYTES limits those.
 */
export const MAX_PLAIN_URL_BYTES = 32 * 1024;

/** The longest headers in total, without the request line. */
export const MAX_HEADER_BYTES = 64 * 1024;

/** The longest URL and headers together after which a connection stays open. */
const MAX_REPEATED_HEAD_BYTES = 8 * 1024;

/** The answer to a request that is refused before anything handles it. */
export interface RequestProblem {
  readonly status: number;
  readonly message: string;
}

/** Returns the reason why a request is ambiguous or too long to be handled, or undefined if it is fine. */
export function requestProblem(request: IncomingMessage, maxUrlBytes: number): RequestProblem | undefined {
  const { url = '', rawHeaders, httpVersion } = request;
  if (url.length > maxUrlBytes) return { status: 414, message: `The URL is longer than ${maxUrlBytes} bytes.` };
  let hosts = 0;
  let size = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    size += name.length + rawHeaders[index + 1]!.length;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  // This matters even for a short URL: megabytes in Accept-Encoding alone would take half a second to parse.
  if (size > MAX_HEADER_BYTES) return { status: 431, message: 'The headers are too long.' };
  // With two hosts, a proxy in front of us may have used the other one.
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) {
    return { status: 400, message: 'A request must have one Host header.' };
  }
  const { expect } = request.headers;
  if (expect !== undefined && httpVersion !== '1.0' && !/^100-continue$/i.test(expect)) {
    return { status: 417, message: 'No expectation but 100-continue can be met.' };
  }
  return undefined;
}

/**
 * Returns whether the connection ends with the response. Node's parser keeps each header until another one replaces it, and
 * the URL until the next request: a thousand idle connections would hold gigabytes. A chunked body may have long trailers.
 */
export function endsConnection(request: IncomingMessage): boolean {
  let bytes = request.url?.length ?? 0;
  for (const text of request.rawHeaders) bytes += text.length;
  return bytes > MAX_REPEATED_HEAD_BYTES || isChunked(request);
}
