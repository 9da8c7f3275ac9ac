import type { IncomingMessage } from 'node:http';
import { newTraceId, Trace, traceOfHeader } from '../trace.ts';

/** Returns the trace that the request is part of: the client's (`traceparent`), or else a new one. */
export function requestTrace({ headers }: IncomingMessage): Trace {
  const trace = traceOfHeader(headers.traceparent);
  if (trace) return trace;
  const id = headers['x-request-id'];
  return new Trace(typeof id === 'string' && TRACE_ID.test(id) ? id : newTraceId());
}

/** Returns the client's own id, or else that of the trace, so that a request can be followed through several systems. */
export function requestId({ headers }: IncomingMessage, trace: Trace): string {
  const id = headers['x-request-id'];
  return typeof id === 'string' && /^[\w.:-]{1,64}$/.test(id) ? id : trace.id;
}

const TRACE_ID = /^(?!0{32})[\da-f]{32}$/;
