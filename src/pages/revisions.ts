import { sql } from 'kysely';
import { shownName } from '../audit/shown-name.ts';
import type { Db, Trx } from '../db/database.ts';
import type { BodyFormat, Timestamp } from '../db/schema.ts';
import { notFound } from '../errors.ts';
import { bytesIn, countPageBytes } from './page-bytes.ts';
import { checkPage } from './page-details.ts';

/** An earlier published state of a page, and the user who published it. */
export interface Revision {
  id: number;
  version: number;
  name: string;
  at: Timestamp;
  /** The user's name. */
  by: string;
}

export interface WholeRevision extends Revision {
  pageId: number;
  urlname: string;
  isHidden: boolean;
  customDate: Timestamp;
  bodyFormat: BodyFormat | '';
  description: string | null;
  body: string;
}

interface ListRevisionsInput {
  pageId: number;
  /** Lists only revisions before this version; undefined to start with the latest. */
  before: number | undefined;
  limit: number;
}

/**
 * Stores the page's contents as a revision before they change; returns the revision's id. So creating a page needs no
 * revision, and the present contents are always in the page's own row.
 */
export async function storeRevision(trx: Trx, accountId: number, pageId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into revisions (account_id, page_id, version, user_id, at, name, urlname, is_hidden, custom_date,
      body_format, description, body)
    select account_id, id, version, updated_by, updated_at, name, urlname, is_hidden, custom_date,
      body_format, description, body
    from pages where account_id = ${accountId} and id = ${pageId}
    returning id`.execute(trx);
  return rows[0]!.id;
}

/** Lists the page's earlier states, the latest first. No two have the same version. @throws AppError `not_found` */
export async function listRevisions(
  trx: Trx,
  accountId: number,
  { pageId, before, limit }: ListRevisionsInput,
): Promise<Revision[]> {
  await checkPage(trx, accountId, pageId);
  let query = selectRevisions(trx, accountId)
    .where('revisions.page_id', '=', pageId)
    .orderBy('revisions.version', 'desc')
    .limit(limit);
  if (before !== undefined) query = query.where('revisions.version', '<', before);
  return query.execute();
}

/** @throws AppError `not_found`, also for revisions of deleted pages */
export async function getRevision(trx: Trx, accountId: number, id: number): Promise<WholeRevision> {
  const revision = await selectRevisions(trx, accountId)
    .innerJoin('pages', (join) =>
      join.onRef('pages.account_id', '=', 'revisions.account_id').onRef('pages.id', '=', 'revisions.page_id'),
    )
    .select([
      'revisions.page_id as pageId',
      'revisions.urlname',
      'revisions.is_hidden as isHidden',
      'revisions.custom_date as customDate',
      'revisions.body_format as bodyFormat',
      'revisions.description',
      'revisions.body',
    ])
    .where('revisions.id', '=', id)
    .executeTakeFirst();
  if (!revision) throw notFound('The revision');
  return { ...revision, isHidden: revision.isHidden === 1 };
}

/**
 * True if the page's contents are unchanged since this version. A move also raises the version, but is no conflict for an
 * editor.
 */
export async function isUnchangedSince(
  trx: Trx,
  accountId: number,
  page: { id: number; version: number },
  version: number,
): Promise<boolean> {
  // The page has never had a higher version, so nobody can have seen its present contents with one.
  if (version >= page.version) return version === page.version;
  // Each change of the contents stores a revision with the version that it replaces.
  const later = await trx
    .selectFrom('revisions')
    .select('id')
    .where('account_id', '=', accountId)
    .where('page_id', '=', page.id)
    .where('version', '>=', version)
    .limit(1)
    .executeTakeFirst();
  return later === undefined;
}

/** True if the page has changed since the version, and has the same contents again. */
export async function hasContentsOf(
  trx: Trx,
  accountId: number,
  { id, version }: { id: number; version: number },
): Promise<boolean> {
  // The next stored revision has the contents of that version: in between, only the page's place changed.
  const { rows } = await sql`
    select 1 from (
      select * from revisions where account_id = ${accountId} and page_id = ${id} and version >= ${version}
      order by version limit 1
    ) as former
    join pages on pages.account_id = former.account_id and pages.id = former.page_id
    where pages.name = former.name and pages.urlname = former.urlname and pages.is_hidden = former.is_hidden
      and pages.custom_date = former.custom_date and pages.body_format = former.body_format and pages.body = former.body
      and coalesce(pages.description, '') = coalesce(former.description, '')
      and (pages.description is null) = (former.description is null)`.execute(trx);
  return rows.length > 0;
}

/** Returns the bytes of the texts of a revision and of its page; 0 if there is no such revision. */
export async function countRevisionAndPageBytes(db: Db, accountId: number, id: number): Promise<number> {
  const revision = await db
    .selectFrom('revisions')
    .select(['page_id as pageId', bytesIn.revisions.as('bytes')])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!revision) return 0;
  return revision.bytes + (await countPageBytes(db, accountId, { id: revision.pageId, userId: 0 }));
}

function selectRevisions(trx: Trx, accountId: number) {
  return trx
    .selectFrom('revisions')
    .innerJoin('users', (join) =>
      join.onRef('users.account_id', '=', 'revisions.account_id').onRef('users.id', '=', 'revisions.user_id'),
    )
    .select(['revisions.id', 'revisions.version', 'revisions.name', 'revisions.at'])
    .select(shownName('users').as('by'))
    .where('revisions.account_id', '=', accountId);
}
