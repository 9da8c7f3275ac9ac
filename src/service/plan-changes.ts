import type { Logger } from 'pino';
import { endDueTrials } from '../accounts/end-due-trials.ts';
import { takeTurnsForAll } from '../db/connection-turns.ts';
import type { Db } from '../db/database.ts';
import { makeDueChanges } from '../scheduled-changes/make-due-changes.ts';

const INTERVAL_MS = 10_000;

interface PlanChangeOptions {
  readonly db: Db;
  readonly log: Pick<Logger, 'warn'>;
}

/** Makes scheduled changes of plans, and ends trials, while the service runs. Returns how to stop, which waits for the one under way. */
export function startPlanChanges({ db, log }: PlanChangeOptions): () => Promise<void> {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const make = async () => {
    try {
      await takeTurnsForAll(async () => {
        await makeDueChanges(db, stopping.signal);
        // Afterwards: who leaves for a free plan on the day on which the trial ends never pays.
        await endDueTrials(db, stopping.signal);
      });
    } catch (error) {
      log.warn({ err: error }, 'could not make all scheduled changes of plans, or end all trials');
    }
    running = undefined;
  };
  const timer = setInterval(() => {
    running ??= make();
  }, INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}
