import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { checkBytes, checkRows } from '../db/long-changes.ts';
import { prepared } from '../db/prepared.ts';
import { bytesIn } from './page-bytes.ts';
import { lastPosition, numberedUrlname, parentKey, usesPositionIndex } from './positions.ts';

/** Returns the urlname, with a number if a child of this parent has it. The caller holds the account's lock. */
export async function uniqueUrlname(trx: Trx, accountId: number, parent: number, urlname: string): Promise<string> {
  const sibling = await trx
    .selectFrom('pages')
    .select('id')
    .where('account_id', '=', accountId)
    .where(parentKey, '=', parent)
    .where('urlname', '=', urlname)
    .executeTakeFirst();
  return sibling ? numberedUrlname(trx, accountId, parent, urlname) : urlname;
}

/** Returns the number of a parent's children, which is the position of the last. */
export async function countChildren(trx: Trx, accountId: number, parent: number): Promise<number> {
  const [last] = await selectLastPosition(trx, { accountId, parent });
  return last?.position ?? 0;
}

const selectLastPosition = prepared<{ accountId: number; parent: number }, { position: number }>((db, parameter) =>
  lastPosition(db, parameter('accountId'), parameter('parent')),
);

/**
 * Moves a parent's children at positions `from` to `to`, both included, by one place: down with `by` 1, up with -1. The place
 * that the first moved child takes must be free, or `whileAway` frees it. `whileAway` runs after the children have left their
 * places and before they take the new ones. Positions are unique row by row, so all of them are negated before any is set.
 * @throws ChangeTooLong
 */
export async function shiftSiblings(
  trx: Trx,
  accountId: number,
  parent: number,
  { from, to, by }: { from: number; to: number; by: 1 | -1 },
  whileAway: () => Promise<unknown> = async () => {},
): Promise<void> {
  if (from > to) return;
  checkRows(trx, to - from + 1);
  await checkBytes(trx, async () => {
    const { bytes } = await trx
      .selectFrom('pages')
      .select(sql<number>`coalesce(sum(${bytesIn.pages}), 0)`.as('bytes'))
      .where('account_id', '=', accountId)
      .where(parentKey, '=', parent)
      .where(usesPositionIndex)
      .where('position', '>=', from)
      .where('position', '<=', to)
      .executeTakeFirstOrThrow();
    return bytes;
  });
  const siblings = trx
    .updateTable('pages')
    .where('account_id', '=', accountId)
    .where(parentKey, '=', parent)
    .where(usesPositionIndex);
  await siblings
    .set({ position: sql<number>`-position` })
    .where('position', '>=', from)
    .where('position', '<=', to)
    .execute();
  await whileAway();
  await siblings
    .set({ position: by === 1 ? sql<number>`1 - position` : sql<number>`-1 - position` })
    .where('position', '<', 0)
    .execute();
}
