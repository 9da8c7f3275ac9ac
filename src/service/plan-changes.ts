import type { Logger } from 'pino';
import { takeTurnsForAll } from '../db/connection-turns.ts';
import type { Db } from '../db/database.ts';
import { makeDueChanges } from '../scheduled-changes/make-due-changes.ts';

const INTERVAL_MS = 10_000;

interface PlanChangeOptions {
  readonly db: Db;
  readonly log: Pick<Logger, 'warn'>;
}

/** Makes scheduled changes of plans while the service runs. Returns how to stop, which waits for the one under way. */
export function startPlanChanges({ db, log }: PlanChangeOptions): () => Promise<void> {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const make = async () => {
    try {
      await takeTurnsForAll(() => makeDueChanges(db, stopping.signal));
    } catch (error) {
      log.warn({ err: error }, 'could not make all scheduled changes of plans');
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
