import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The header `traceparent` of https://www.w3.org/TR/trace-context, whose trace id must not be zero. */
const TRACE_PARENT = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}(?:-|$)/;

/**
 * Returns the client's own id, or the id of the trace that it is part of, so that a request can be followed through several systems;
 * or else a new one.
 */
export function requestId({ headers }: IncomingMessage): string {
  const id = headers['x-request-id'];
  if (typeof id === 'string' && /^[\w.:-]{1,64}$/.test(id)) return id;
  const { traceparent } = headers;
  const trace = typeof traceparent === 'string' ? TRACE_PARENT.exec(traceparent)?.[1] : undefined;
  return trace ?? randomUUID();
}
