import { sql } from 'kysely';
import { dialectOf, type Trx } from '../db/database.ts';
import { lookupJoin } from '../db/lookup-join.ts';
import { prepared } from '../db/prepared.ts';
import type { BodyFormat, Flag, Timestamp } from '../db/schema.ts';
import { MAX_DEPTH } from '../pages/page.ts';
import { isVisible } from '../pages/page-status.ts';
import { shownDescription } from './description.ts';

/** A page on the path from the root to the requested page. */
export interface SitePathNode {
  id: number;
  name: string;
  urlname: string;
  /** 1 if the page is in no menu, because it is hidden or not published. */
  isHidden: Flag;
}

export interface FoundPage {
  id: number;
  name: string;
  /** The part of the description that sites show. */
  description: string | null;
  body: string;
  bodyFormat: BodyFormat | '';
  customDate: Timestamp;
  updatedAt: Timestamp;
  /** The path from the root page down to the page itself. */
  pathNodes: SitePathNode[];
}

/**
 * Returns the page at the path of these urlnames, hidden or not; undefined if there is none. Unpublished pages are found
 * only with `isPreview`. The pages above it need not be published.
 */
export async function findPage(
  trx: Trx,
  accountId: number,
  urlnames: readonly string[],
  { isPreview = false }: { isPreview?: boolean } = {},
): Promise<FoundPage | undefined> {
  const rows = await readPath(trx, accountId, urlnames, { detailsAt: urlnames.length, isPreview });
  const last = rows?.at(-1);
  if (!rows || !last || last.body === null) return undefined;
  return {
    id: last.id,
    name: last.name,
    description: last.description,
    body: last.body,
    bodyFormat: last.bodyFormat!,
    customDate: last.customDate!,
    updatedAt: last.updatedAt!,
    pathNodes: rows.map(({ id, name, urlname, isHidden }) => ({ id, name, urlname, isHidden })),
  };
}

/** Returns only the id of the page at the path, without reading its body, which may have megabytes. */
export async function findPageId(
  trx: Trx,
  accountId: number,
  urlnames: readonly string[],
): Promise<number | undefined> {
  const rows = await readPath(trx, accountId, urlnames, { detailsAt: 0, isPreview: false });
  return rows?.at(-1)?.id;
}

async function readPath(
  trx: Trx,
  accountId: number,
  urlnames: readonly string[],
  { detailsAt, isPreview }: { detailsAt: number; isPreview: boolean },
): Promise<PathRow[] | undefined> {
  const depth = urlnames.length;
  if (depth === 0 || depth > MAX_DEPTH) return undefined;
  const rows = await selectPath(trx, {
    accountId,
    urlnames: JSON.stringify(urlnames),
    depth,
    detailsAt,
    isPreview: isPreview ? 1 : 0,
  });
  return rows.at(-1)?.depth === depth ? rows : undefined;
}

interface PathRow extends SitePathNode {
  depth: number;
  description: string | null;
  /** Like the other details, null except at the depth `detailsAt`, and null for an unpublished page outside previews. */
  body: string | null;
  bodyFormat: BodyFormat | '' | null;
  customDate: Timestamp | null;
  updatedAt: Timestamp | null;
}

interface PathParameters {
  accountId: number;
  urlnames: string;
  depth: number;
  /** The depth of the page whose body and other details are read; 0 for none. */
  detailsAt: number;
  isPreview: Flag;
}

/**
 * Reads the whole path in one query, with a look-up in `pages_urlname` for each step, and one by id for each page found. Both
 * are written so that no database can turn them into a join of all the account's pages, whatever it estimates. `+` takes
 * the type off the id, since with the type SQLite would not use an index on an expression.
 */
const selectPath = prepared<PathParameters, PathRow>((db, parameter) => {
  // Both databases have the same syntax for the nth element of a JSON array, except for the parameter's type.
  const names = dialectOf(db) === 'postgres' ? sql`${parameter('urlnames')}::json` : parameter('urlnames');
  const account = parameter('accountId');
  const number = (name: 'depth' | 'detailsAt' | 'isPreview') =>
    dialectOf(db) === 'postgres' ? sql`${parameter(name)}::int` : parameter(name);
  const [depth, detailsAt] = [number('depth'), number('detailsAt')];
  const isShown = sql`path_nodes.depth = ${detailsAt} and (pages.status = 'published' or ${number('isPreview')} = 1)`;
  const compiled = sql<PathRow>`
    with recursive path_nodes (id, depth) as (
      select (
        select id from pages
        where account_id = ${account} and coalesce(parent_id, 0) = 0 and urlname = ${names} ->> 0
      ), 1
      union all
      select (
        select pages.id from pages
        where pages.account_id = ${account} and coalesce(pages.parent_id, 0) = +path_nodes.id
          and pages.urlname = ${names} ->> path_nodes.depth
      ), path_nodes.depth + 1
      from path_nodes
      where path_nodes.id is not null and path_nodes.depth < ${depth}
    )
    select pages.id, pages.name, pages.urlname, case when ${isVisible} then 0 else 1 end as "isHidden", path_nodes.depth,
      case when ${isShown} then ${shownDescription} end as description,
      case when ${isShown} then pages.body end as body,
      case when ${isShown} then pages.body_format end as "bodyFormat",
      case when ${isShown} then pages.custom_date end as "customDate",
      case when ${isShown} then pages.updated_at end as "updatedAt"
    from path_nodes ${lookupJoin(db, 'pages', sql`pages.account_id = ${account} and pages.id = path_nodes.id`)}
    order by path_nodes.depth`;
  return { compile: () => compiled.compile(db) };
});
