import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { ArchiveThread } from '../account-archives/archive-thread.ts';
import { runArchiveRequests } from '../account-archives/run-requests.ts';
import { endDueTrials } from '../accounts/end-due-trials.ts';
import type { Config } from '../config.ts';
import { runImports } from '../customer-imports/run-imports.ts';
import type { Db } from '../db/database.ts';
import { checkDueDomains } from '../domains/check-due-domains.ts';
import { dnsOf } from '../domains/dns.ts';
import type { MediaStore } from '../media/store.ts';
import { makeDueChanges } from '../scheduled-changes/make-due-changes.ts';
import { runPushes } from '../templates/run-pushes.ts';
import { repeat } from './repeat.ts';

interface BackgroundWorkOptions {
  readonly db: Db;
  readonly store: MediaStore;
  readonly config: Config;
  readonly log: Logger;
  /** Called when messages may have been queued. */
  readonly onMailQueued: () => void;
}

/**
 * Starts the scheduled work and the tasks that users start and do not wait for. If several processes run, one of them does
 * each task.
 */
export function startBackgroundWork({ db, store, config, log, onMailQueued }: BackgroundWorkOptions) {
  const worker = randomUUID();
  const warn = (text: string) => (error: unknown) => log.warn({ err: error }, text);

  const imports = repeat(
    (signal) => {
      // During an import, the mail worker finds the messages when it polls. A nudge for each part would slow down the
      // import.
      const onProgress = ({ state }: { readonly state: string }) => {
        if (state !== 'running') onMailQueued();
      };
      return runImports({ db, store, config }, { worker, signal, onProgress });
    },
    { intervalMs: 5000, onError: warn('could not import customers; it will be tried again') },
  );

  const dns = dnsOf(config.dnsServers);
  const domainChecks = repeat(
    async (signal) => {
      if ((await checkDueDomains(db, dns, config, signal)) > 0) onMailQueued();
    },
    { intervalMs: 5000, onError: warn('could not check the domains') },
  );

  const planChanges = repeat(
    async (signal) => {
      await makeDueChanges(db, signal);
      // Runs after the changes: a customer who moves to a free plan on the day the trial ends never pays.
      await endDueTrials(db, signal);
    },
    { intervalMs: 10_000, onError: warn('could not make all scheduled plan changes, or end all trials') },
  );

  const onSiteError = (error: unknown) => log.error({ err: error }, 'could not push a template to a site');
  const templatePushes = repeat((signal) => runPushes({ db, store, config, onError: onSiteError }, signal), {
    intervalMs: 1000,
    onError: warn('could not push templates'),
  });

  const thread = new ArchiveThread(config);
  const build = thread.build.bind(thread);
  const onArchiveError = warn('could not make an archive; it will be tried again');
  const { dataDir, mailFrom } = config;
  const archives = repeat(
    (signal) =>
      runArchiveRequests(db, { worker, dataDir, mailFrom, signal, build, onMailQueued, onError: onArchiveError }),
    { intervalMs: 5000, onError: onArchiveError },
  );

  return {
    /** Checks for a waiting import immediately. */
    nudgeImports: imports.nudge,
    /** Finishes running transactions and leaves the remaining work to other processes. */
    stop: async () => {
      const all = [imports, domainChecks, planChanges, templatePushes, archives].map((work) => work.stop());
      dns.cancel();
      await thread.stop();
      await Promise.all(all);
    },
  };
}
