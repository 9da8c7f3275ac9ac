import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { numbered } from './urlname.ts';

/** A page's parent in queries and indexes: root pages have 0, since nulls are equal to nothing. */
export const parentKey = sql<number>`coalesce(parent_id, 0)`;

/**
 * Where a new page goes: the position after its last sibling, and the first form of the urlname that no sibling has.
 * The caller holds the account's tree (see `raiseContentVersion`), so both stay free until its transaction ends.
 */
export async function findPlace(
  trx: Trx,
  accountId: number,
  parentId: number | null,
  urlname: string,
): Promise<{ position: number; urlname: string }> {
  const parent = parentId ?? 0;
  const [place] = await selectPlace(trx, { accountId, parent, urlname });
  return {
    position: (place?.last ?? 0) + 1,
    urlname: place?.taken ? await firstFree(trx, accountId, parent, urlname) : urlname,
  };
}

/**
 * Doubles the number until it is free, then halves the gap: a hundred thousand siblings of one name cost some thirty
 * look-ups. Where pages in between were deleted it may not be the lowest free number, but it is always a free one.
 */
async function firstFree(trx: Trx, accountId: number, parent: number, urlname: string): Promise<string> {
  const isTaken = async (number: number) =>
    (await selectPlace(trx, { accountId, parent, urlname: numbered(urlname, number) }))[0]?.taken;
  let taken = 1;
  let free = 2;
  while (await isTaken(free)) {
    taken = free;
    free *= 2;
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isTaken(middle)) taken = middle;
    else free = middle;
  }
  return numbered(urlname, free);
}

const selectPlace = prepared<
  { accountId: number; parent: number; urlname: string },
  { last: number | null; taken: number | null }
>((db, parameter) =>
  db.selectNoFrom((e) => [
    e
      .selectFrom('pages')
      .select('position')
      .where('account_id', '=', parameter('accountId'))
      .where(parentKey, '=', parameter('parent'))
      .orderBy('position', 'desc')
      .limit(1)
      .as('last'),
    e
      .selectFrom('pages')
      .select(sql<number>`1`.as('one'))
      .where('account_id', '=', parameter('accountId'))
      .where(parentKey, '=', parameter('parent'))
      .where('urlname', '=', parameter('urlname'))
      .as('taken'),
  ]),
);
