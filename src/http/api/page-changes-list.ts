import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../db/database.ts';
import { type ChangedPage, findPageChanges, gone } from '../../pages/find-page-changes.ts';
import { listPagesById, listUserNames } from '../../pages/list-pages.ts';
import { formatPageId } from '../../pages/page.ts';
import { recentSnapshot } from '../../tenancy/recent-snapshot.ts';
import { selectedFields } from './page-json.ts';
import { BATCH_BYTES, BATCH_PAGES, MAX_BYTES_IN_MEMORY } from './page-list.ts';
import { hasTexts, type PageSelection } from './page-selection.ts';

/**
 * Returns the changes in an account's page list since a version of it, as JSON. They are read from one snapshot of the
 * database that is at least as new as `contentVersion`.
 * @throws AppError `gone` if the changes are no longer known, too many or too large
 */
export function buildPageChanges(
  db: Db,
  { accountId, contentVersion }: { accountId: number; contentVersion: number },
  since: number,
  selection: PageSelection,
): Promise<{ version: number; bytes: Buffer }> {
  const withTexts = hasTexts(selection);
  return recentSnapshot(db, { accountId, contentVersion }, async (trx) => {
    const [{ version, changed, deleted }, users] = await Promise.all([
      findPageChanges(trx, accountId, since),
      listUserNames(trx, accountId),
    ]);
    const size = changed.reduce((sum, page) => sum + page.size, 0);
    if (withTexts && size > MAX_BYTES_IN_MEMORY)
      throw gone(`The pages that have changed since version ${since} are too long to list.`);
    const texts: string[] = [];
    for (const batch of batches(changed, withTexts)) {
      if (texts.length > 0) await setImmediate();
      const ids = batch.map(({ id }) => id);
      const pages = new Map((await listPagesById(trx, accountId, ids, { withTexts })).map((page) => [page.id, page]));
      for (const place of batch) {
        texts.push(`${selectedFields(pages.get(place.id)!, place, users, selection.fields)}}`);
      }
    }
    const ids = deleted.map((id) => `"${formatPageId(id)}"`);
    const bytes = Buffer.from(`{"version":${version},"changed":[${texts.join(',')}],"deleted":[${ids.join(',')}]}`);
    return { version, bytes };
  });
}

/** Yields the pages in order, in batches that are small enough to be read at once. */
function* batches(changed: readonly ChangedPage[], withTexts: boolean): Generator<ChangedPage[]> {
  let batch: ChangedPage[] = [];
  let bytes = 0;
  for (const page of changed) {
    batch.push(page);
    if (withTexts) bytes += page.size;
    if (bytes < BATCH_BYTES && batch.length < BATCH_PAGES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
