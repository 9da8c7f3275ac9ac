import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { idRows } from '../db/json-list.ts';
import { lookupJoin } from '../db/lookup-join.ts';
import { prepared } from '../db/prepared.ts';
import type { BodyFormat, Flag, Timestamp } from '../db/schema.ts';
import { isListedAsHidden } from './page-status.ts';
import { Outline } from './page-tree.ts';
import { parentKey, usesPositionIndex } from './positions.ts';
import { readByParent } from './read-by-parent.ts';

/** A page in the form in which the API lists it. */
export interface ListedPage {
  id: number;
  parent_id: number | null;
  name: string;
  urlname: string;
  /** Pages that are not published are listed as hidden, except for default pages. */
  is_hidden: Flag;
  body: string;
  description: string | null;
  body_format: BodyFormat | '';
  custom_date: Timestamp;
  created_at: Timestamp;
  created_by: number;
  updated_at: Timestamp;
  updated_by: number;
}

/**
 * Returns the outline of all pages, siblings in order. The pages are read in batches, between which other work gets its turn,
 * so that the largest account does not block the service.
 */
export async function listOutline(trx: Trx, accountId: number): Promise<Outline> {
  const outline = new Outline();
  for await (const part of readOutline(trx, accountId)) {
    for (const row of part) {
      outline.ids.push(row.id);
      outline.parents.push(row.parent);
      outline.urlnames.push(row.urlname);
      outline.versions.push(row.version);
      outline.sizes.push(row.size);
    }
  }
  return outline;
}

/**
 * Returns pages by their ids, in no particular order, leaving out ids that the account does not have. `withTexts: false` leaves
 * body and description empty: they make up nearly all of the bytes.
 */
export function listPagesById(
  trx: Trx,
  accountId: number,
  ids: readonly number[],
  { withTexts = true } = {},
): Promise<ListedPage[]> {
  const select = withTexts ? selectPages : selectPagesWithoutTexts;
  return select(trx, { accountId, ids: JSON.stringify(ids) });
}

/** Returns the names of the account's users by their ids. */
export async function listUserNames(trx: Trx, accountId: number): Promise<Map<number, string>> {
  const users = await selectUsers(trx, { accountId });
  return new Map(users.map(({ id, name }) => [id, name]));
}

const readOutline = readByParent((db) =>
  db
    .selectFrom('pages')
    .select([
      'id',
      parentKey.as('parent'),
      'urlname',
      'version',
      'position',
      sql<number>`octet_length(body) + coalesce(octet_length(description), 0)`.as('size'),
    ])
    .where(usesPositionIndex),
);

const pageSelection = (texts: RawBuilder<unknown>) =>
  prepared<{ accountId: number; ids: string }, ListedPage>((db, parameter) => {
    const compiled = sql<ListedPage>`
    select pages.id, pages.parent_id, pages.name, pages.urlname, ${isListedAsHidden} as is_hidden, ${texts},
      pages.body_format, pages.custom_date, pages.created_at, pages.created_by, pages.updated_at, pages.updated_by
    from ${idRows(db, parameter('ids'))}
    ${lookupJoin(db, 'pages', sql`pages.account_id = ${parameter('accountId')} and pages.id = listed.id`)}`;
    return { compile: () => compiled.compile(db) };
  });

const selectPages = pageSelection(sql`pages.body, pages.description`);
const selectPagesWithoutTexts = pageSelection(sql`'' as body, null as description`);

const selectUsers = prepared<{ accountId: number }, { id: number; name: string }>((db, parameter) =>
  db.selectFrom('users').select(['id', 'name']).where('account_id', '=', parameter('accountId')),
);
