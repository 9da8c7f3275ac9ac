import { sql } from 'kysely';
import { dialectOf, type Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { BodyFormat, Flag, Timestamp } from '../db/schema.ts';
import { MAX_DEPTH } from '../pages/page.ts';

/** A page on the way from the root to the one that was asked for. */
export interface Step {
  id: number;
  name: string;
  urlname: string;
  isHidden: Flag;
}

export interface FoundPage {
  id: number;
  name: string;
  description: string | null;
  body: string;
  bodyFormat: BodyFormat | '';
  customDate: Timestamp;
  updatedAt: Timestamp;
  /** From the root page down to the page itself. */
  way: Step[];
}

/** The page at the path that these urlnames are, hidden or not; undefined where there is none. */
export async function findPage(
  trx: Trx,
  accountId: number,
  urlnames: readonly string[],
): Promise<FoundPage | undefined> {
  const depth = urlnames.length;
  if (depth === 0 || depth > MAX_DEPTH) return undefined;
  const rows = await selectWay(trx, { accountId, urlnames: JSON.stringify(urlnames), depth });
  const last = rows.at(-1);
  if (last?.depth !== depth || last.body === null) return undefined;
  return {
    id: last.id,
    name: last.name,
    description: last.description,
    body: last.body,
    bodyFormat: last.bodyFormat!,
    customDate: last.customDate!,
    updatedAt: last.updatedAt!,
    way: rows.map(({ id, name, urlname, isHidden }) => ({ id, name, urlname, isHidden })),
  };
}

interface WayRow extends Step {
  depth: number;
  description: string | null;
  /** These only of the page itself. */
  body: string | null;
  bodyFormat: BodyFormat | '' | null;
  customDate: Timestamp | null;
  updatedAt: Timestamp | null;
}

/**
 * One query for the whole way, a look-up in `pages_urlname` for each step. It is a cross join so that SQLite takes the steps
 * in this order, and `+` takes the type off the id, with which it would not use an index on an expression. Without either it
 * reads all of the account's pages.
 */
const selectWay = prepared<{ accountId: number; urlnames: string; depth: number }, WayRow>((db, parameter) => {
  // Both databases take the nth of a JSON array in the same words, but for the parameter's type.
  const names = dialectOf(db) === 'postgres' ? sql`${parameter('urlnames')}::json` : parameter('urlnames');
  const account = parameter('accountId');
  const compiled = sql<WayRow>`
    with recursive way (id, name, urlname, is_hidden, depth) as (
      select id, name, urlname, is_hidden, 1
      from pages
      where account_id = ${account} and coalesce(parent_id, 0) = 0 and urlname = ${names} ->> 0
      union all
      select pages.id, pages.name, pages.urlname, pages.is_hidden, way.depth + 1
      from way
      cross join pages
      where pages.account_id = ${account} and coalesce(pages.parent_id, 0) = +way.id
        and pages.urlname = ${names} ->> way.depth and way.depth < ${sql.lit(MAX_DEPTH)}
    )
    select way.id, way.name, way.urlname, way.is_hidden as "isHidden", way.depth, page.description, page.body,
      page.body_format as "bodyFormat", page.custom_date as "customDate", page.updated_at as "updatedAt"
    from way
    left join pages as page on page.account_id = ${account} and page.id = way.id and way.depth = ${parameter('depth')}
    order by way.depth`;
  return { compile: () => compiled.compile(db) };
});
