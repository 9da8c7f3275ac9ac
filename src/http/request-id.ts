import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Returns the client's own id, so that a request can be followed through several systems, or else a new one. */
export function requestId({ headers }: IncomingMessage): string {
  const id = headers['x-request-id'];
  return typeof id === 'string' && /^[\w.:-]{1,64}$/.test(id) ? id : randomUUID();
}
