import { sql } from 'kysely';
import { recordAuditEvent, type UserActor } from '../audit/record-audit-event.ts';
import { dialectOf, type Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { AppError, notFound, ValidationError } from '../errors.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { formatPageId } from './page.ts';
import { findRedirectTarget, putRedirect } from './redirects.ts';
import { pathsOf } from './subtree.ts';

/** A path that redirects to a page, wherever the page is now. */
interface PageRedirect {
  id: number;
  path: string;
  pageId: number;
  /** The page's present URL path; undefined if the page is in the trash. */
  to: string | undefined;
}

/** A redirect's place in the list. */
export interface RedirectCursor {
  pageId: number;
  id: number;
}

interface ListRedirectsInput {
  /** Lists only redirects to this page. */
  pageId: number | undefined;
  /** Lists only redirects after this place; undefined to start at the first. */
  after: RedirectCursor | undefined;
  limit: number;
}

/** The most redirects of an account: more than the largest site has pages. */
const MAX_REDIRECTS = 100_000;

/** Lists the redirects by their pages, and those of one page from the oldest on. */
export async function listRedirects(
  trx: Trx,
  accountId: number,
  { pageId, after, limit }: ListRedirectsInput,
): Promise<PageRedirect[]> {
  const query = trx
    .selectFrom('redirects')
    .select(['id', 'path', 'page_id as pageId'])
    .where(redirectsAfter(trx, accountId, after ?? { pageId: 0, id: 0 }, pageId))
    // The order names the columns of an index: otherwise, PostgreSQL would sort all redirects.
    .orderBy('account_id')
    .orderBy('page_id')
    .orderBy('id')
    .limit(limitInIndexOrder(limit));
  const rows = await query.execute();
  const paths = await pathsOf(trx, accountId, [...new Set(rows.map((row) => row.pageId))]);
  return rows.map((row) => ({ ...row, to: paths.get(row.pageId) }));
}

/** Selects the redirects after a place in the list, of all pages or one. `latestFirst` explains ranges in PostgreSQL. */
function redirectsAfter(trx: Trx, accountId: number, after: RedirectCursor, pageId: number | undefined) {
  const [from, to] = [Math.max(after.pageId, pageId ?? 0), pageId ?? Number.MAX_SAFE_INTEGER];
  const id = from === after.pageId ? after.id : 0;
  return dialectOf(trx) === 'sqlite'
    ? sql<boolean>`(account_id = ${accountId} and page_id >= ${from} and page_id <= ${to} and (page_id > ${from} or id > ${id}))`
    : sql<boolean>`((account_id, page_id, id) > (${accountId}, ${from}, ${id})
        and (account_id, page_id, id) <= (${accountId}, ${to}, ${Number.MAX_SAFE_INTEGER}))`;
}

/** Lists the redirects to one page, the latest first, except the one from the path `except`. */
export function listLatestRedirects(
  trx: Trx,
  accountId: number,
  { pageId, except, limit }: { pageId: number; except: string; limit: number },
): Promise<{ id: number; path: string }[]> {
  return (
    trx
      .selectFrom('redirects')
      .select(['id', 'path'])
      .where('account_id', '=', accountId)
      .where('page_id', '=', pageId)
      .where('path', '!=', except)
      // An expression: for the bare column, PostgreSQL would go through the ids of all accounts.
      .orderBy(sql`id + 0`, 'desc')
      .limit(limit)
      .execute()
  );
}

interface AddedRedirect {
  id: number;
  /** The published page to which the path led until now; undefined if none, or if it is the same page. */
  formerPageId: number | undefined;
}

/**
 * Makes a normalized path redirect to the page, with precedence over other pages to which it redirected before. A page whose
 * own URL is the path still comes first.
 * @throws ValidationError if there is no such page; AppError `conflict` if there are too many redirects
 */
export async function addRedirect(
  trx: Trx,
  accountId: number,
  { path, pageId }: { path: string; pageId: number },
  by: UserActor,
): Promise<AddedRedirect> {
  const { version } = await raiseContentVersion(trx, accountId, Date.now());
  const page = trx.selectFrom('pages').select('id').where('account_id', '=', accountId).where('id', '=', pageId);
  if (!(await page.executeTakeFirst())) throw new ValidationError([{ field: 'page_id', code: 'missing' }]);
  await checkCount(trx, accountId);
  const former = await findRedirectTarget(trx, accountId, path);
  const id = await putRedirect(trx, accountId, { path, id: pageId, version });
  const details = { path, page: formatPageId(pageId) };
  await recordAuditEvent(trx, accountId, by, { action: 'redirect.added', subject: `redirect_${id}`, details });
  return { id, formerPageId: former === pageId ? undefined : former };
}

async function checkCount(trx: Trx, accountId: number): Promise<void> {
  const some = trx
    .selectFrom('redirects')
    .select('id')
    .where('account_id', '=', accountId)
    .limit(MAX_REDIRECTS)
    .as('some');
  const { count } = await trx
    .selectFrom(some)
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count < MAX_REDIRECTS) return;
  const most = MAX_REDIRECTS.toLocaleString('en');
  throw new AppError('conflict', `There are ${most} redirects, and no more are possible. Remove some first.`);
}

/** Removes a redirect: its path leads nowhere, or to another page to which it led before. @throws AppError `not_found` */
export async function removeRedirect(trx: Trx, accountId: number, id: number, by: UserActor): Promise<void> {
  await raiseContentVersion(trx, accountId, Date.now());
  const removed = await trx
    .deleteFrom('redirects')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(['path', 'page_id'])
    .executeTakeFirst();
  if (!removed) throw notFound('The redirect');
  const details = { path: removed.path, page: formatPageId(removed.page_id) };
  await recordAuditEvent(trx, accountId, by, { action: 'redirect.removed', subject: `redirect_${id}`, details });
}
