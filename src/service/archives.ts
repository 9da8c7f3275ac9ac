import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { ArchiveThread } from '../account-archives/archive-thread.ts';
import { runArchiveRequests } from '../account-archives/run-requests.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';

interface ArchiveOptions {
  readonly db: Db;
  readonly config: Config;
  readonly log: Pick<Logger, 'warn'>;
  readonly onMailQueued: () => void;
}

const INTERVAL_MS = 5000;

/** Makes the archives that people ask for while the service runs. Returns how to stop, which breaks off the archive that is being made. */
export function startArchives({ db, config, log, onMailQueued }: ArchiveOptions): () => Promise<void> {
  const stopping = new AbortController();
  const thread = new ArchiveThread(config);
  const onError = (error: unknown) => log.warn({ err: error }, 'could not make an archive; it will be tried again');
  const { dataDir, mailFrom } = config;
  const { signal } = stopping;
  const build = thread.build.bind(thread);
  const options = { worker: randomUUID(), dataDir, mailFrom, signal, build, onMailQueued, onError };
  let running: Promise<void> | undefined;
  const run = async () => {
    await runArchiveRequests(db, options).catch(onError);
    running = undefined;
  };
  const timer = setInterval(() => {
    running ??= run();
  }, INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await thread.stop();
    await running;
  };
}
