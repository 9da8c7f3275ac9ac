import { sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { inBatches } from '../db/in-batches.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { deleteFewTexts } from './page-bytes.ts';

/** How many revisions of each page are kept whatever their age. */
export const MIN_REVISIONS_KEPT = 200;
/** How long every revision is kept after it was replaced: 90 days. */
export const REVISION_RETENTION_MS = 90 * 24 * 60 * 60 * 1000;

/** How many pages are counted at once, and how many revisions one transaction deletes at most. */
const PAGE_BATCH_SIZE = 500;
const BATCH_SIZE = 50;

interface Counted {
  accountId: number;
  pageId: number;
  count: number;
}

/**
 * Deletes revisions that were replaced more than 90 days ago, except the latest 200 of each page. The latest revision, by
 * which conflicts are detected, therefore always exists, and so does the one that an undo restores. Returns the number.
 */
export async function pruneRevisions(db: Db, now = Date.now()): Promise<number> {
  let pruned = 0;
  for (let pages = await countRevisions(db); pages.length > 0; pages = await countRevisions(db, pages.at(-1))) {
    for (const page of pages) {
      if (page.count > MIN_REVISIONS_KEPT) pruned += await pruneRevisionsOfPage(db, page, now);
    }
  }
  return pruned;
}

/** Counts the revisions of the next pages in the order of the index, so that no text is read. */
function countRevisions(db: Db, after?: Counted): Promise<Counted[]> {
  return db
    .selectFrom('revisions')
    .select((e) => ['account_id as accountId', 'page_id as pageId', e.fn.countAll<number>().as('count')])
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(account_id, page_id) > (${after!.accountId}, ${after!.pageId})`),
    )
    .groupBy(['account_id', 'page_id'])
    .orderBy('account_id')
    .orderBy('page_id')
    .limit(PAGE_BATCH_SIZE)
    .execute();
}

function pruneRevisionsOfPage(db: Db, page: Counted, now: number): Promise<number> {
  return inBatches(db, 1, async (trx) => {
    await lockAccount(trx, page.accountId);
    const before = await oldestToKeep(trx, page, now);
    if (before === undefined) return 0;
    const where = sql`account_id = ${page.accountId} and page_id = ${page.pageId} and version < ${before}`;
    return deleteFewTexts(trx, page.accountId, { table: 'revisions', key: ['id'], where, most: BATCH_SIZE });
  });
}

/** Returns the oldest version to keep; undefined to keep all of them. */
async function oldestToKeep(trx: Trx, page: Counted, now: number): Promise<number | undefined> {
  const latest = await ofPage(trx, page)
    .select('version')
    .orderBy('version', 'desc')
    .offset(MIN_REVISIONS_KEPT - 1)
    .limit(1)
    .executeTakeFirst();
  // The newest revision older than 90 days was still published then; older ones had been replaced.
  const publishedThen = await ofPage(trx, page)
    .select('version')
    .where('at', '<=', now - REVISION_RETENTION_MS)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return latest && publishedThen && Math.min(latest.version, publishedThen.version);
}

function ofPage(trx: Trx, { accountId, pageId }: Counted) {
  return trx.selectFrom('revisions').where('account_id', '=', accountId).where('page_id', '=', pageId);
}
