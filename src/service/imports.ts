import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { ImportDependencies } from '../customer-imports/import-with-template.ts';
import { runImports } from '../customer-imports/run-imports.ts';

interface ImportOptions extends ImportDependencies {
  readonly log: Pick<Logger, 'warn'>;
  /** Called when there is mail to customers. */
  readonly onMailQueued: () => void;
}

/** How long an import that another process has started, or has left behind, waits. */
const INTERVAL_MS = 5000;

export interface Imports {
  /** Looks for an import to run now. */
  nudge(): void;
  /** Finishes the transaction that is under way, and leaves the rest to others. */
  stop(): Promise<void>;
}

/** Runs imports of customers while the service runs. */
export function startImports({ log, onMailQueued, ...dependencies }: ImportOptions): Imports {
  const stopping = new AbortController();
  const { signal } = stopping;
  const worker = randomUUID();
  let running: Promise<void> | undefined;
  let isNudged = false;
  const run = async () => {
    try {
      do {
        isNudged = false;
        await runImports(dependencies, {
          worker,
          signal,
          onProgress: ({ state }) => {
            // Meanwhile the worker finds the mail when it polls: a nudge for each part would slow down the import.
            if (state !== 'running') onMailQueued();
          },
        });
      } while (isNudged);
    } catch (error) {
      log.warn({ err: error }, 'could not import customers; it will be tried again');
    }
    running = undefined;
  };
  const nudge = () => {
    isNudged = true;
    if (!signal.aborted) running ??= run();
  };
  const timer = setInterval(nudge, INTERVAL_MS).unref();
  return {
    nudge,
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
