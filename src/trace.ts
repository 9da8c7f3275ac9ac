import { randomBytes } from 'node:crypto';

/** The header `traceparent` of https://www.w3.org/TR/trace-context. Its ids must not be zero. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-|$)/;

/** The length of the `traceparent` headers that this service writes. */
export const TRACEPARENT_CHARACTERS = 55;

/**
 * A step in a trace: a request, or something that it caused. As a string, it is the `traceparent` header for the steps it
 * causes.
 */
export class Trace {
  /** The id of the trace, which all of its steps share. */
  readonly id: string;
  /** The id of the step that caused this one; undefined for the first step. */
  readonly parentId: string | undefined;
  /** True if the trace is recorded. */
  readonly isSampled: boolean;
  #spanId: string | undefined;

  constructor(id: string, { parentId, isSampled = false, spanId }: TraceOptions = {}) {
    this.id = id;
    this.parentId = parentId;
    this.isSampled = isSampled;
    this.#spanId = spanId;
  }

  /** The id of this step. Created on first use, since most requests cause no other steps. */
  get spanId(): string {
    this.#spanId ??= newSpanId();
    return this.#spanId;
  }

  /** Returns a new step that this one causes. */
  child(): Trace {
    return new Trace(this.id, { parentId: this.spanId, isSampled: this.isSampled });
  }

  /** Returns a `traceparent` header of `TRACEPARENT_CHARACTERS`. */
  toString(): string {
    return `00-${this.id}-${this.spanId}-${this.isSampled ? '01' : '00'}`;
  }
}

interface TraceOptions {
  readonly parentId?: string | undefined;
  readonly isSampled?: boolean;
  /** A new id by default. */
  readonly spanId?: string;
}

/** Returns a new step that the sender of the header causes; undefined if the header is invalid. */
export function traceOfHeader(traceparent: unknown): Trace | undefined {
  const found = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null;
  if (!found) return undefined;
  const [, id, parentId, flags] = found;
  return new Trace(id!, { parentId: parentId!, isSampled: (Number.parseInt(flags!, 16) & 1) === 1 });
}

/** Returns the step that wrote the header. */
export function stepOfHeader(traceparent: string): Trace | undefined {
  const caused = traceOfHeader(traceparent);
  return caused && new Trace(caused.id, { isSampled: caused.isSampled, spanId: caused.parentId! });
}

/** Returns the log field with the trace id of a stored `traceparent`. */
export function traceField(traceparent: string | null): { traceId?: string } {
  const trace = traceOfHeader(traceparent);
  return trace ? { traceId: trace.id } : {};
}

export function newTraceId(): string {
  return randomDigits(32);
}

function newSpanId(): string {
  return randomDigits(16);
}

const POOL_BYTES = 2048;
let pool = '';
let used = 0;

/**
 * Returns random hexadecimal digits. Generates enough for a hundred requests at once: making a UUID and removing its
 * hyphens takes ten times as long.
 */
function randomDigits(count: number): string {
  if (used + count > pool.length) {
    pool = randomBytes(POOL_BYTES).toString('hex');
    used = 0;
  }
  used += count;
  return pool.slice(used - count, used);
}
