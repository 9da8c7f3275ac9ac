import type { Trace } from './trace.ts';

/** A step of a trace with its start and end, as in OpenTelemetry. */
export interface Span {
  readonly step: Trace;
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  /** In the time of `performance.now()`. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  readonly hasFailed: boolean;
}

/** Records the spans of this process. `record` is undefined while tracing is off. */
export const spans: { record: ((span: Span) => void) | undefined } = { record: undefined };

/**
 * Runs the work, and records it as a step if its trace is recorded. `describe` gets the result, or undefined if the work
 * failed.
 */
export async function recorded<T>(
  step: Trace | undefined,
  about: Pick<Span, 'name' | 'kind'>,
  work: () => Promise<T>,
  describe: (result: T | undefined) => Pick<Span, 'attributes' | 'hasFailed'>,
): Promise<T> {
  if (!step?.isSampled || !spans.record) return work();
  const start = performance.now();
  let result: T | undefined;
  try {
    result = await work();
    return result;
  } finally {
    spans.record?.({ ...about, step, start, end: performance.now(), ...describe(result) });
  }
}
