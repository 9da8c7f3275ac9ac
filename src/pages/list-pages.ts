import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { dialectOf, type Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { BodyFormat, Flag, Timestamp } from '../db/schema.ts';
import { Outline } from './page-tree.ts';
import { parentKey } from './positions.ts';

/** A page as it is listed, with the names of its users. */
export interface ListedPage {
  id: number;
  parent_id: number | null;
  name: string;
  urlname: string;
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

/** The account's content version, as the transaction sees it. */
export async function contentVersion(trx: Trx, accountId: number): Promise<number> {
  const [row] = await selectVersion(trx, { accountId });
  return row?.version ?? 0;
}

/**
 * The outline of all pages, siblings in order. Read in parts, between which other work gets its turn, so that the
 * largest account holds up nobody.
 */
export async function listOutline(trx: Trx, accountId: number): Promise<Outline> {
  const outline = new Outline();
  let [parent, position] = [-1, 0];
  for (;;) {
    const part = await selectOutline(trx, { accountId, parent, position, limit: OUTLINE_PART });
    for (const row of part) {
      outline.ids.push(row.id);
      outline.parents.push(row.parent_id ?? 0);
      outline.urlnames.push(row.urlname);
      outline.versions.push(row.version);
      outline.sizes.push(row.size);
    }
    const last = part.at(-1);
    if (!last || part.length < OUTLINE_PART) return outline;
    [parent, position] = [last.parent_id ?? 0, last.position];
    await setImmediate();
  }
}

const OUTLINE_PART = 1000;

/** Pages by id, in no particular order. Ids that the account does not have are left out. */
export function getPages(trx: Trx, accountId: number, ids: readonly number[]): Promise<ListedPage[]> {
  return selectPages(trx, { accountId, ids: dialectOf(trx) === 'postgres' ? ids : JSON.stringify(ids) });
}

/** The names of the account's users by their ids. */
export async function userNames(trx: Trx, accountId: number): Promise<Map<number, string>> {
  const users = await selectUsers(trx, { accountId });
  return new Map(users.map(({ id, name }) => [id, name]));
}

const selectVersion = prepared<{ accountId: number }, { version: number }>((db, parameter) =>
  db.selectFrom('accounts').select('content_version as version').where('id', '=', parameter('accountId')),
);

const selectOutline = prepared<
  { accountId: number; parent: number; position: number; limit: number },
  { id: number; parent_id: number | null; urlname: string; version: number; position: number; size: number }
>((db, parameter) =>
  db
    .selectFrom('pages')
    .select([
      'id',
      'parent_id',
      'urlname',
      'version',
      'position',
      sql<number>`octet_length(body) + coalesce(octet_length(description), 0)`.as('size'),
    ])
    .where('account_id', '=', parameter('accountId'))
    .where(sql<boolean>`(${parentKey}, position) > (${parameter('parent')}, ${parameter('position')})`)
    .orderBy(parentKey)
    .orderBy('position')
    .limit(parameter('limit')),
);

const selectPages = prepared<{ accountId: number; ids: readonly number[] | string }, ListedPage>((db, parameter) =>
  db
    .selectFrom('pages')
    .select([
      'id',
      'parent_id',
      'name',
      'urlname',
      'is_hidden',
      'body',
      'description',
      'body_format',
      'custom_date',
      'created_at',
      'created_by',
      'updated_at',
      'updated_by',
    ])
    .where('account_id', '=', parameter('accountId'))
    // A list of any length in one parameter, so that its text is always the same and is prepared once.
    .where(
      dialectOf(db) === 'postgres'
        ? sql<boolean>`id = any(${parameter('ids')}::bigint[])`
        : sql<boolean>`id in (select value from json_each(${parameter('ids')}))`,
    ),
);

const selectUsers = prepared<{ accountId: number }, { id: number; name: string }>((db, parameter) =>
  db.selectFrom('users').select(['id', 'name']).where('account_id', '=', parameter('accountId')),
);
