import type { Trx } from '../db/database.ts';
import { LimitReached } from '../errors.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { checkPlanLimit } from '../tenancy/plan-limits.ts';
import type { PageToCopy } from './list-pages-to-copy.ts';
import { bytesOf, validateQuota } from './page-bytes.ts';
import { addImagesOfPages } from './page-images.ts';

/** Rows that one statement inserts: each has 16 values, and a statement takes 32,000. */
const BATCH_SIZE = 500;

/**
 * Adds the pages, each of which stands after its parent, to an account that has none, in the user's name. Returns their new
 * ids by those that they were copied from, and the version of the account that the pages have.
 * @throws LimitReached
 */
export async function insertPageCopies(
  trx: Trx,
  accountId: number,
  pages: readonly PageToCopy[],
  { userId, quota }: { userId: number; quota: number },
): Promise<{ ids: Map<number, number>; version: number }> {
  const now = Date.now();
  const bytes = pages.reduce((sum, page) => sum + bytesOf(page), 0);
  const { version, pageBytes } = await raiseContentVersion(trx, accountId, now, bytes);
  const noRoom = validateQuota({ bytes, pageBytes, quota });
  if (noRoom.length > 0) throw new LimitReached(noRoom);
  await checkPlanLimit(trx, accountId, 'pages', pages.length);
  const rest = {
    account_id: accountId,
    created_at: now,
    created_by: userId,
    updated_at: now,
    updated_by: userId,
    version,
  };
  const ids = new Map<number, number>();
  for (let left = [...pages]; left.length > 0; ) {
    // A statement cannot refer to a parent that it inserts.
    const isNext = ({ parentId }: PageToCopy) => parentId === null || ids.has(parentId);
    const end = left.findIndex((page) => !isNext(page));
    const part = left.splice(0, Math.min(BATCH_SIZE, end < 0 ? left.length : end));
    const rows = await trx
      .insertInto('pages')
      .values(
        part.map((page) => ({
          ...rest,
          parent_id: page.parentId === null ? null : ids.get(page.parentId)!,
          name: page.name,
          urlname: page.urlname,
          position: page.position,
          is_hidden: page.isHidden ? (1 as const) : (0 as const),
          description: page.description,
          body: page.body,
          body_format: page.bodyFormat,
          custom_date: page.customDate,
          status: page.status,
        })),
      )
      .returning(['id', 'name'])
      .execute();
    const byName = new Map(rows.map(({ id, name }) => [name, id]));
    for (const { id, name } of part) ids.set(id, byName.get(name)!);
  }
  await addImagesOfPages(
    trx,
    accountId,
    pages.map(({ id, body }) => ({ id: ids.get(id)!, body })),
  );
  return { ids, version };
}
