import { randomBytes } from 'node:crypto';

/** The header `traceparent` of https://www.w3.org/TR/trace-context, whose ids must not be zero. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-|$)/;

/** How long a `traceparent` of ours is. */
export const TRACEPARENT_CHARACTERS = 55;

/** A step in a trace: a request, or what it has caused. Its text is the `traceparent` of whatever it causes itself. */
export class Trace {
  /** The id of the trace, which all of its steps share. */
  readonly id: string;
  /** The step that has caused this one; undefined for the first. */
  readonly parentId: string | undefined;
  /** Whether somebody records the trace. */
  readonly isSampled: boolean;
  #spanId: string | undefined;

  constructor(id: string, { parentId, isSampled = false, spanId }: TraceOptions = {}) {
    this.id = id;
    this.parentId = parentId;
    this.isSampled = isSampled;
    this.#spanId = spanId;
  }

  /** The id of this step. Made when it is first asked for: most requests cause nothing. */
  get spanId(): string {
    this.#spanId ??= newSpanId();
    return this.#spanId;
  }

  /** Returns a step that this one has caused. */
  child(): Trace {
    return new Trace(this.id, { parentId: this.spanId, isSampled: this.isSampled });
  }

  /** Returns a header of `TRACEPARENT_CHARACTERS`. */
  toString(): string {
    return `00-${this.id}-${this.spanId}-${this.isSampled ? '01' : '00'}`;
  }
}

interface TraceOptions {
  readonly parentId?: string | undefined;
  readonly isSampled?: boolean;
  /** By default, a new one. */
  readonly spanId?: string;
}

/** Returns a step that the sender of the header has caused; undefined for a header that is none. */
export function traceOfHeader(traceparent: unknown): Trace | undefined {
  const found = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null;
  if (!found) return undefined;
  const [, id, parentId, flags] = found;
  return new Trace(id!, { parentId: parentId!, isSampled: (Number.parseInt(flags!, 16) & 1) === 1 });
}

/** Returns the step itself that has written the header. */
export function stepOfHeader(traceparent: string): Trace | undefined {
  const caused = traceOfHeader(traceparent);
  return caused && new Trace(caused.id, { isSampled: caused.isSampled, spanId: caused.parentId! });
}

/** Returns the field that names the trace of a stored `traceparent` in a line of the log. */
export function traceField(traceparent: string | null): { traceId?: string } {
  const trace = traceOfHeader(traceparent);
  return trace ? { traceId: trace.id } : {};
}

/** Returns the id of a new trace. */
export function newTraceId(): string {
  return randomDigits(32);
}

function newSpanId(): string {
  return randomDigits(16);
}

const POOL_BYTES = 2048;
let pool = '';
let used = 0;

/** Returns random hexadecimal digits. They are made for a hundred requests at once: a UUID without its hyphens takes ten times as long. */
function randomDigits(count: number): string {
  if (used + count > pool.length) {
    pool = randomBytes(POOL_BYTES).toString('hex');
    used = 0;
  }
  used += count;
  return pool.slice(used - count, used);
}
