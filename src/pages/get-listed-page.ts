import type { Trx } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { findContentVersion } from '../tenancy/content-version.ts';
import { type ListedPage, listPagesById, listUserNames } from './list-pages.ts';
import { pathsOf } from './subtree.ts';

/** One page with everything that the list of pages says about it. */
interface PageOfList {
  /** The account's content version, as the transaction sees it. */
  contentVersion: number;
  page: ListedPage;
  version: number;
  isPublished: boolean;
  position: number;
  /** The URL path from the root. */
  path: string;
  userNames: ReadonlyMap<number, string>;
}

/** @throws AppError `not_found` */
export async function getListedPage(trx: Trx, accountId: number, id: number): Promise<PageOfList> {
  const [page] = await listPagesById(trx, accountId, [id]);
  if (!page) throw notFound('The page');
  const { version, position, status } = await trx
    .selectFrom('pages')
    .select(['version', 'position', 'status'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const path = (await pathsOf(trx, accountId, [id])).get(id)!;
  return {
    contentVersion: await findContentVersion(trx, accountId),
    page,
    version,
    isPublished: status === 'published',
    position,
    path,
    userNames: await listUserNames(trx, accountId),
  };
}
