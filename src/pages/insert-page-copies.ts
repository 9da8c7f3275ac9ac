import type { Trx } from '../db/database.ts';
import { LimitReached } from '../errors.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { checkPlanLimit } from '../tenancy/plan-limits.ts';
import { insertPageRowsForIds } from './insert-page-rows.ts';
import type { PageToCopy } from './list-pages-to-copy.ts';
import { bytesOf, validateQuota } from './page-bytes.ts';
import { addImagesOfPages } from './page-images.ts';

/** The most rows and bytes that one statement inserts: on PostgreSQL, all rows are one parameter. */
const BATCH_SIZE = 500;
const BATCH_BYTES = 1024 * 1024;

/**
 * Adds pages, each of which comes after its parent, to an account in the user's name. Pages whose parent is null are put below
 * the page `below`, or at the root. The caller has chosen names, urlnames and positions that no other page has. Returns the new
 * ids by the ids of the originals, and the content version of the new pages.
 * @throws LimitReached
 */
export async function insertPageCopies(
  trx: Trx,
  accountId: number,
  pages: readonly PageToCopy[],
  { userId, quota, below = null }: { userId: number; quota: number; below?: number | null },
): Promise<{ ids: Map<number, number>; version: number }> {
  const now = Date.now();
  const bytes = pages.reduce((sum, page) => sum + bytesOf(page), 0);
  const { version, pageBytes } = await raiseContentVersion(trx, accountId, now, bytes);
  const noRoom = validateQuota({ bytes, pageBytes, quota });
  if (noRoom.length > 0) throw new LimitReached(noRoom);
  await checkPlanLimit(trx, accountId, 'pages', pages.length);
  const common = {
    account_id: accountId,
    created_at: now,
    created_by: userId,
    updated_at: now,
    updated_by: userId,
    version,
  };
  const ids = new Map<number, number>();
  for (let start = 0; start < pages.length; ) {
    const part = nextBatch(pages, start, ids);
    const rows = part.map((page) => ({
      ...common,
      parent_id: page.parentId === null ? below : ids.get(page.parentId)!,
      name: page.name,
      urlname: page.urlname,
      position: page.position,
      is_hidden: page.isHidden ? (1 as const) : (0 as const),
      description: page.description,
      body: page.body,
      body_format: page.bodyFormat,
      custom_date: page.customDate,
      status: page.status,
    }));
    const inserted = await insertPageRowsForIds(trx, rows);
    for (const [index, { id }] of part.entries()) ids.set(id, inserted[index]!);
    start += part.length;
  }
  await addImagesOfPages(
    trx,
    accountId,
    pages.map(({ id, body }) => ({ id: ids.get(id)!, body })),
  );
  return { ids, version };
}

/**
 * Returns the next pages whose parents already have new ids: a statement cannot refer to a parent that it inserts itself.
 */
function nextBatch(pages: readonly PageToCopy[], start: number, ids: ReadonlyMap<number, number>): PageToCopy[] {
  const batch: PageToCopy[] = [];
  let bytes = 0;
  for (let index = start; index < pages.length && batch.length < BATCH_SIZE && bytes < BATCH_BYTES; index++) {
    const page = pages[index]!;
    if (page.parentId !== null && !ids.has(page.parentId)) break;
    batch.push(page);
    bytes += page.body.length;
  }
  return batch;
}
