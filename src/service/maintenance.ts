import type { Logger } from 'pino';
import { pruneArchives } from '../account-archives/prune-archives.ts';
import { deleteDueCustomers } from '../accounts/delete-customer.ts';
import { pruneReleasedSubdomains } from '../accounts/prune-released-subdomains.ts';
import { purgeDeletedAccounts } from '../accounts/purge-accounts.ts';
import { pruneAuditLog } from '../audit/prune-audit-log.ts';
import { pruneImports } from '../customer-imports/prune-imports.ts';
import { pruneNotes } from '../customers/prune-notes.ts';
import { refreshCustomersAtLimit } from '../customers/refresh-customers-at-limit.ts';
import type { Db } from '../db/database.ts';
import { pruneStoredResponses } from '../idempotency/run-once.ts';
import { pruneImpersonations } from '../impersonations/prune-impersonations.ts';
import { pruneMail } from '../mail/prune-mail.ts';
import { pruneBrokenUploads } from '../media/prune-broken-uploads.ts';
import { purgeRemovedMedia } from '../media/purge-removed-media.ts';
import type { MediaStore } from '../media/store.ts';
import { pruneRevisions } from '../pages/prune-revisions.ts';
import { purgeDeletedPages } from '../pages/purge-deleted-pages.ts';
import { refreshAllSearch } from '../pages/search-index.ts';
import { pruneRemovals } from '../removals/removals.ts';
import { pruneCancelledChanges } from '../scheduled-changes/prune-cancelled-changes.ts';
import { prunePushes } from '../templates/prune-pushes.ts';
import { pruneSessions } from '../users/prune-sessions.ts';
import { pruneAttempts } from '../users/throttle.ts';
import { pruneWebhooks } from '../webhooks/prune-webhooks.ts';

interface MaintenanceDependencies {
  readonly db: Db;
  readonly store: MediaStore;
  readonly dataDir: string;
  readonly log: Pick<Logger, 'warn'>;
}

/** The maintenance jobs, keyed by the words with which the log reports that one has failed. */
const jobs: Readonly<Record<string, (dependencies: MaintenanceDependencies) => Promise<unknown>>> = {
  'customers whose deletion is due': ({ db, dataDir }) => deleteDueCustomers(db, dataDir),
  'remains of deleted accounts': ({ db, store }) => purgeDeletedAccounts(db, (keys) => store.remove(keys)),
  'old archives': ({ db, dataDir }) => pruneArchives(db, dataDir),
  'stored responses': ({ db }) => pruneStoredResponses(db),
  'old sessions': ({ db }) => pruneSessions(db),
  'failed sign-ins': ({ db }) => pruneAttempts(db),
  'old revisions': ({ db }) => pruneRevisions(db),
  'old log entries': ({ db }) => pruneAuditLog(db),
  'old sign-ins of agencies': ({ db }) => pruneImpersonations(db),
  'deleted pages': ({ db }) => purgeDeletedPages(db),
  'records for undoing removals': ({ db }) => pruneRemovals(db),
  'old imports': ({ db }) => pruneImports(db),
  'deleted notes': ({ db }) => pruneNotes(db),
  'cancelled changes of plan': ({ db }) => pruneCancelledChanges(db),
  'deleted images': ({ db, store }) => purgeRemovedMedia(db, store),
  'broken uploads': () => pruneBrokenUploads(),
  'released subdomains': ({ db }) => pruneReleasedSubdomains(db),
  'old reports of templates': ({ db }) => prunePushes(db),
  'old mail': ({ db }) => pruneMail(db),
  'old deliveries to webhooks': ({ db }) => pruneWebhooks(db),
  'customers at a limit': ({ db }) => refreshCustomersAtLimit(db),
  'the search index': ({ db }) => refreshAllSearch(db),
};

const HOUR_MS = 60 * 60 * 1000;

/** Runs the jobs every hour. Returns the timer for `clearInterval`. */
export function startMaintenance(dependencies: MaintenanceDependencies): NodeJS.Timeout {
  return setInterval(() => void runMaintenance(dependencies), HOUR_MS).unref();
}

/** Runs the jobs one after another, since several delete from the same tables. A failed job does not stop the others. */
export async function runMaintenance(dependencies: MaintenanceDependencies): Promise<void> {
  for (const [what, job] of Object.entries(jobs)) {
    await job(dependencies).catch((error: unknown) =>
      dependencies.log.warn({ err: error }, `maintenance of ${what} failed`),
    );
  }
}
