import type { Logger } from 'pino';
import { forgetReleasedSubdomains } from '../accounts/forget-released-subdomains.ts';
import { forgetOldDeeds } from '../audit/forget-old-deeds.ts';
import type { Db } from '../db/database.ts';
import { forgetOldAnswers } from '../idempotency/answer-once.ts';
import { forgetOldMail } from '../mail/forget-old-mail.ts';
import { forgetBrokenUploads } from '../media/forget-broken-uploads.ts';
import { forgetRemovedMedia } from '../media/forget-removed-media.ts';
import type { MediaStore } from '../media/store.ts';
import { forgetOldRevisions } from '../pages/forget-old-revisions.ts';
import { forgetRemoved } from '../pages/forget-removed.ts';
import { refreshAllSearch } from '../pages/search-index.ts';
import { forgetRemovals } from '../removals/forget-removals.ts';
import { forgetOldAttempts } from '../users/attempts.ts';
import { forgetOldSessions } from '../users/forget-old-sessions.ts';

export interface House {
  readonly db: Db;
  readonly store: MediaStore;
  readonly log: Pick<Logger, 'warn'>;
}

/** What is kept for a time only, by the words in which the log tells that it could not be removed. */
const chores: Readonly<Record<string, (house: House) => Promise<unknown>>> = {
  'old answers': ({ db }) => forgetOldAnswers(db),
  'old sessions': ({ db }) => forgetOldSessions(db),
  'old attempts': ({ db }) => forgetOldAttempts(db),
  'old revisions': ({ db }) => forgetOldRevisions(db),
  'old log entries': ({ db }) => forgetOldDeeds(db),
  'deleted pages': ({ db }) => forgetRemoved(db),
  'what undoing removals takes': ({ db }) => forgetRemovals(db),
  'deleted images': ({ db, store }) => forgetRemovedMedia(db, store),
  'broken uploads': () => forgetBrokenUploads(),
  'subdomains kept from others': ({ db }) => forgetReleasedSubdomains(db),
  'old mail': ({ db }) => forgetOldMail(db),
  'old words of pages': ({ db }) => refreshAllSearch(db),
};

const HOUR = 60 * 60 * 1000;

/** Does the chores every hour; to be ended by `clearInterval`. */
export function keepHouse(house: House): NodeJS.Timeout {
  return setInterval(() => void doChores(house), HOUR).unref();
}

/** Does one chore after another, since several delete from the same tables. One that fails does not stop the others. */
export async function doChores(house: House): Promise<void> {
  for (const [what, chore] of Object.entries(chores)) {
    await chore(house).catch((error: unknown) => house.log.warn({ err: error }, `could not remove ${what}`));
  }
}
