import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { latestFirst, limitInIndexOrder } from '../db/index-order.ts';
import { lookupJoin } from '../db/lookup-join.ts';
import { prepared } from '../db/prepared.ts';
import { AppError } from '../errors.ts';
import { bytesIn } from './page-bytes.ts';
import { pathsOf } from './subtree.ts';

/** The pages of an account that have changed or been deleted since a version of it. */
export interface PageChanges {
  /** The account's version after these changes. */
  version: number;
  /** The changed pages in the order of their positions, without siblings that only made room for others. */
  changed: readonly ChangedPage[];
  /** The ids of deleted pages, including some that were created after the version. */
  deleted: readonly number[];
}

export interface ChangedPage {
  id: number;
  position: number;
  /** The size of the page's body and description in bytes. */
  size: number;
  /** The URL path from the root. */
  url: string;
}

/** With more changes, reading the whole list of pages is faster. */
const MAX_CHANGED_PAGES = 1000;
const MAX_DELETED_PAGES = 10_000;

/**
 * Returns the changes since the version. Clients derive the order of siblings: unchanged pages have kept their relative order,
 * and changed ones come with their positions.
 * @throws AppError `gone` if the changes since this version are not known, or are too many
 */
export async function findPageChanges(trx: Trx, accountId: number, since: number): Promise<PageChanges> {
  // The queries are independent, so PostgreSQL gets all of them at once.
  const [[account], former, created, removed] = await Promise.all([
    selectAccount(trx, { accountId }),
    selectChanged(trx, { accountId, since, limit: MAX_CHANGED_PAGES + 1 }),
    selectCreated(trx, { accountId, since, limit: MAX_CHANGED_PAGES + 1 }),
    selectDeleted(trx, { accountId, since, limit: MAX_DELETED_PAGES + 1 }),
  ]);
  if (!account || since < account.knownFrom || since > account.version) {
    throw gone(`What has changed since version ${since} is not known.`);
  }
  const { version } = account;
  // A new page may have been changed, too, and is then in both lists.
  const rows = new Map([...former, ...created].map((page) => [page.id, page]));
  if (rows.size > MAX_CHANGED_PAGES || removed.length > MAX_DELETED_PAGES) {
    throw gone(`Very many pages have changed since version ${since}.`);
  }
  const urls = await pathsOf(trx, accountId, [...rows.keys()]);
  const changed = [...rows.values()]
    .toSorted((a, b) => a.position - b.position || a.id - b.id)
    .map((page) => ({ ...page, url: urls.get(page.id)! }));
  return { version, changed, deleted: removed.map(({ id }) => id) };
}

/** Returns the error for changes that cannot be listed. */
export function gone(reason: string): AppError {
  return new AppError('gone', `${reason} Read the whole list.`);
}

const selectAccount = prepared<{ accountId: number }, { version: number; knownFrom: number }>((db, parameter) =>
  db
    .selectFrom('accounts')
    .select(['content_version as version', 'changes_known_from as knownFrom'])
    .where('id', '=', parameter('accountId')),
);

interface Since {
  accountId: number;
  since: number;
  limit: number;
}

type ChangedRow = Omit<ChangedPage, 'url'>;

const selectChanged = prepared<Since, ChangedRow>((db, parameter) =>
  db
    .selectFrom('pages')
    .select(['id', 'position', bytesIn.pages.as('size')])
    .where('account_id', '=', parameter('accountId'))
    .where('version', '>', parameter('since'))
    .where('has_changed', '=', sql.lit(1))
    .orderBy('version')
    .limit(limitInIndexOrder(parameter('limit'))),
);

/**
 * Selects the pages that were created since the version. Ids grow with versions, so these are the account's last pages, back to
 * the first one that is older. An index by version would cost every creation more than this query costs the few clients that
 * ask. The result may include older pages that were changed since, which belong to the answer anyway.
 */
const selectCreated = prepared<Since, ChangedRow>((db, parameter) => {
  const [accountId, since, limit] = [parameter('accountId'), parameter('since'), parameter('limit')];
  // Reads the pages one by one: for several at once, PostgreSQL may read all pages of the account and sort them.
  const lastBefore = (id: RawBuilder<number>) => {
    const latest = latestFirst(db, 'pages', accountId, id);
    return sql`(select id from pages where ${latest.where} order by ${latest.account} desc, ${latest.id} desc limit 1)`;
  };
  const isPage = sql`pages.account_id = ${accountId} and pages.id = latest.id`;
  const compiled = sql<ChangedRow>`
    with recursive latest (id, steps) as (
      select ${lastBefore(sql.lit(Number.MAX_SAFE_INTEGER))}, 1
      union all
      select ${lastBefore(sql.ref('latest.id'))}, steps + 1 from latest
      where steps < ${limit} and (select version from pages where ${isPage}) > ${since}
    )
    select pages.id, pages.position, ${bytesIn.pages} as size
    from latest ${lookupJoin(db, 'pages', sql`${isPage} and pages.version > ${since}`)}`;
  return { compile: () => compiled.compile(db) };
});

const selectDeleted = prepared<Since, { id: number }>((db, parameter) => {
  const isOfUndo = sql`removed_pages.account_id = ${parameter('accountId')} and removed_pages.undo_id = undos.id`;
  const compiled = sql<{ id: number }>`
    select removed_pages.id from (
      select id from undos
      where account_id = ${parameter('accountId')} and kind = 'delete' and version > ${parameter('since')}
      order by version limit ${limitInIndexOrder(parameter('limit'))}
    ) as undos
    ${lookupJoin(db, 'removed_pages', isOfUndo)}
    limit ${parameter('limit')}`;
  return { compile: () => compiled.compile(db) };
});
