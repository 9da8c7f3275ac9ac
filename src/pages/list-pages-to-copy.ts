import { sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import type { BodyFormat, PageStatus, Timestamp } from '../db/schema.ts';
import { Refusal } from '../refusal.ts';
import { bytesIn } from './page-bytes.ts';

/** A page that is to be copied to another account. */
export interface PageToCopy {
  /** The page's id in the account that it is copied from; `parentId` is an id of that account as well. */
  id: number;
  /** null for the root. */
  parentId: number | null;
  name: string;
  urlname: string;
  position: number;
  isHidden: boolean;
  description: string | null;
  body: string;
  bodyFormat: BodyFormat | '';
  customDate: Timestamp;
  status: PageStatus;
}

/** The largest site that can be copied. A copy is written in one transaction, which blocks other changes. */
const MAX_PAGES = 500;
const MAX_BYTES = 10 * 1024 * 1024;

/**
 * Returns the account's pages, each after its parent, and siblings in order. Unchanged default pages are left out, since they
 * mention the account's name, unless another page is below them.
 * @throws AppError `conflict` if there are too many pages, or their texts are too long together
 */
export async function listPagesToCopy(trx: Trx, accountId: number): Promise<PageToCopy[]> {
  await checkSize(trx, accountId);
  const rows = await trx
    .selectFrom('pages')
    .select(['id', 'parent_id as parentId', 'name', 'urlname', 'is_hidden', 'description'])
    .select(['body', 'body_format as bodyFormat', 'custom_date as customDate', 'status'])
    .where('account_id', '=', accountId)
    .orderBy('position')
    .orderBy('id')
    .execute();
  const byParent = Map.groupBy(rows, ({ parentId }) => parentId);
  const isCopied = ({ id, status }: (typeof rows)[number]): boolean =>
    status !== 'default' || (byParent.get(id) ?? []).some(isCopied);
  const pages: PageToCopy[] = [];
  for (let parents: Array<number | null> = [null]; parents.length > 0; ) {
    const level = parents.flatMap((parent) => {
      const siblings = (byParent.get(parent) ?? []).filter(isCopied);
      return siblings.map(({ is_hidden, ...page }, index) => ({
        ...page,
        isHidden: is_hidden === 1,
        position: index + 1,
      }));
    });
    pages.push(...level);
    parents = level.map(({ id }) => id);
  }
  return pages;
}

async function checkSize(trx: Trx, accountId: number): Promise<void> {
  const { isTooLarge } = await countPagesToCopy(trx, accountId);
  if (!isTooLarge) return;
  const params = { pages: MAX_PAGES, megabytes: MAX_BYTES / 1024 / 1024 };
  throw new Refusal('conflict', { reason: 'site_too_large', params });
}

/** Counts the account's pages and the bytes of their texts, up to one page more than can be copied. */
export async function countPagesToCopy(
  db: Db | Trx,
  accountId: number,
): Promise<{ pages: number; bytes: number; isTooLarge: boolean }> {
  const { rows } = await sql<{ pages: number; bytes: number }>`
    select count(*) as pages, coalesce(sum(bytes), 0) as bytes from (
      select ${bytesIn.pages} as bytes from pages where account_id = ${accountId} limit ${sql.lit(MAX_PAGES + 1)}
    ) as counted`.execute(db);
  const { pages, bytes } = rows[0]!;
  return { pages, bytes, isTooLarge: pages > MAX_PAGES || bytes > MAX_BYTES };
}
