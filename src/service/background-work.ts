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

/** Does what is due on a day, and what people have started and do not wait for. Of several processes one does each thing. */
export function startBackgroundWork({ db, store, config, log, onMailQueued }: BackgroundWorkOptions) {
  const worker = randomUUID();
  const warn = (text: string) => (error: unknown) => log.warn({ err: error }, text);

  const imports = repeat(
    (signal) => {
      // Meanwhile the worker finds the mail when it polls: a nudge for each part would slow down the import.
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
      // Afterwards: who leaves for a free plan on the day on which the trial ends never pays.
      await endDueTrials(db, signal);
    },
    { intervalMs: 10_000, onError: warn('could not make all scheduled changes of plans, or end all trials') },
  );

  const onSiteError = (error: unknown) => log.error({ err: error }, 'could not pass a template on to a site');
  const templatePushes = repeat((signal) => runPushes({ db, store, config, onError: onSiteError }, signal), {
    intervalMs: 1000,
    onError: warn('could not pass templates on'),
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
    /** Looks for an import to run now. */
    nudgeImports: imports.nudge,
    /** Finishes the transactions under way, and leaves the rest to others. */
    stop: async () => {
      const all = [imports, domainChecks, planChanges, templatePushes, archives].map((work) => work.stop());
      dns.cancel();
      await thread.stop();
      await Promise.all(all);
    },
  };
}
