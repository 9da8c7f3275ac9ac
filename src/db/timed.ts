import type { DatabaseTimes } from '../counts.ts';
import { spans } from '../spans.ts';
import { currentSurface, currentTrace } from './connection-turns.ts';

/**
 * Runs the work and records how long it took, whatever its outcome: in the metrics, and in the request's trace if that is
 * recorded.
 */
export async function timed<T>(times: DatabaseTimes, kind: keyof DatabaseTimes, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  let hasFailed = true;
  try {
    const result = await work();
    hasFailed = false;
    return result;
  } finally {
    const end = performance.now();
    times[kind][currentSurface()].observe(end - start);
    if (spans.record) recordSpan({ name: `database ${kind}`, start, end, hasFailed });
  }
}

/** Records a step of the current request, if its trace is recorded. */
function recordSpan(span: { name: string; start: number; end: number; hasFailed: boolean }): void {
  const trace = currentTrace();
  if (trace?.isSampled) spans.record?.({ ...span, step: trace.child(), kind: 'client', attributes: {} });
}
