import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { takeTurnsForAll } from '../db/connection-turns.ts';
import type { Db } from '../db/database.ts';
import type { MediaStore } from '../media/store.ts';
import { runPushes } from '../templates/run-pushes.ts';

interface TemplatePushOptions {
  readonly db: Db;
  readonly store: MediaStore;
  readonly config: Config;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

const INTERVAL_MS = 1000;

/** Passes changes of templates on while the service runs. Returns how to stop, which waits for the site that is being changed. */
export function startTemplatePushes({ db, store, config, log }: TemplatePushOptions): () => Promise<void> {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const onError = (error: unknown) => log.error({ err: error }, 'could not pass a template on to a site');
  const run = async () => {
    try {
      await takeTurnsForAll(() => runPushes({ db, store, config, onError }, stopping.signal));
    } catch (error) {
      log.warn({ err: error }, 'could not pass templates on');
    }
    running = undefined;
  };
  const timer = setInterval(() => {
    running ??= run();
  }, INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}
