import { takeTurnsForAll } from '../db/connection-turns.ts';

interface RepeatOptions {
  readonly intervalMs: number;
  readonly onError: (error: unknown) => void;
}

interface Repetition {
  /** Runs the work now, or once more if it is running. */
  nudge(): void;
  /** Aborts the signal, and waits for the work to end. */
  stop(): Promise<void>;
}

/** Runs work for several accounts at an interval while the service runs, never twice at once. */
export function repeat(
  work: (signal: AbortSignal) => Promise<unknown>,
  { intervalMs, onError }: RepeatOptions,
): Repetition {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;
  let isNudged = false;
  const run = async () => {
    do {
      isNudged = false;
      await takeTurnsForAll(() => work(signal)).catch(onError);
    } while (isNudged && !signal.aborted);
    running = undefined;
  };
  const begin = () => {
    if (!signal.aborted) running ??= run();
  };
  const timer = setInterval(begin, intervalMs).unref();
  return {
    nudge: () => {
      isNudged = true;
      begin();
    },
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
