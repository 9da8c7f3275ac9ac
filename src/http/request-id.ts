import type { IncomingMessage } from 'node:http';
import type { Config } from '../config.ts';
import { newTraceId, Trace, traceOfHeader } from '../trace.ts';

/** Decides whether the trace of a request is recorded. The trace has a `parentId` if the client began it. */
export type Sampler = (trace: Trace) => boolean;

/**
 * Returns the trace that the request is part of: the client's (`traceparent`), or else a new one. Without a sampler, the
 * client decides whether it is recorded.
 */
export function requestTrace({ headers }: IncomingMessage, isSampled?: Sampler): Trace {
  const trace = traceOfHeader(headers.traceparent) ?? newTrace(headers['x-request-id']);
  if (!isSampled || isSampled(trace) === trace.isSampled) return trace;
  return new Trace(trace.id, { parentId: trace.parentId, isSampled: !trace.isSampled });
}

function newTrace(id: unknown): Trace {
  return new Trace(typeof id === 'string' && TRACE_ID.test(id) ? id : newTraceId());
}

/** Returns the sampler that the configuration names, or undefined if no traces are recorded. */
export function samplerOf({
  otlpEndpoint,
  tracesSampler,
  tracesSamplerArg,
}: Pick<Config, 'otlpEndpoint' | 'tracesSampler' | 'tracesSamplerArg'>): Sampler | undefined {
  if (!otlpEndpoint) return undefined;
  const kind = tracesSampler.replace('parentbased_', '');
  const isRecorded = ({ id }: Trace) => {
    // The last 56 bits of a trace id are random.
    if (kind === 'traceidratio') return Number.parseInt(id.slice(-14), 16) / 2 ** 56 < tracesSamplerArg;
    return kind === 'always_on';
  };
  if (kind === tracesSampler) return isRecorded;
  return (trace) => (trace.parentId === undefined ? isRecorded(trace) : trace.isSampled);
}

/** Returns the client's request id, or else the id of the trace, so that a request can be followed through several systems. */
export function requestId({ headers }: IncomingMessage, trace: Trace): string {
  const id = headers['x-request-id'];
  return typeof id === 'string' && /^[\w.:-]{1,64}$/.test(id) ? id : trace.id;
}

const TRACE_ID = /^(?!0{32})[\da-f]{32}$/;
