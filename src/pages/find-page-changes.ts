import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { latestFirst, limitInIndexOrder } from '../db/index-order.ts';
import { lookupJoin } from '../db/lookup-join.ts';
import { prepared } from '../db/prepared.ts';
import { AppError } from '../errors.ts';
import { bytesIn } from './page-bytes.ts';
import { pathsOf } from './subtree.ts';

/** The pages of an account that have changed since a version of it, and those that are gone. */
export interface PageChanges {
  /** The version of the account with these changes. */
  version: number;
  /** In the order of their positions. Siblings that only made room for others are not among them. */
  changed: readonly ChangedPage[];
  /** The ids of deleted pages, also of some that were created since. */
  deleted: readonly number[];
}

export interface ChangedPage {
  id: number;
  position: number;
  /** The size of its texts in bytes. */
  size: number;
  /** From the root down. */
  url: string;
}

/** With more changes, reading the whole list takes less than putting them together. */
const MAX_CHANGED_PAGES = 1000;
const MAX_DELETED_PAGES = 10_000;

/**
 * Returns what has changed since the version. The order of siblings follows from it: pages that have not changed have kept their
 * order, and the others have their positions.
 * @throws AppError `gone` where this cannot be told
 */
export async function findPageChanges(trx: Trx, accountId: number, since: number): Promise<PageChanges> {
  // They do not need each other's answers: PostgreSQL is sent all of them at once.
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
  // A new page may have been changed, too.
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

/** Refuses to tell changes. */
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
 * Selects the pages that were created since the version. Ids grow with versions, so they are the last ones, up to the first that is
 * older: an index by version would cost each creation more than this costs those who ask. Pages that were changed are in the answer
 * anyway.
 */
const selectCreated = prepared<Since, ChangedRow>((db, parameter) => {
  const [accountId, since, limit] = [parameter('accountId'), parameter('since'), parameter('limit')];
  // One by one: for more at once, PostgreSQL may read all pages of the account and sort them.
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
