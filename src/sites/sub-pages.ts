import type { Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { partOf } from '../db/part-of.ts';
import { prepared } from '../db/prepared.ts';
import type { Timestamp } from '../db/schema.ts';
import { isVisible } from '../pages/page-status.ts';
import { lastPosition, parentKey } from '../pages/positions.ts';
import { completeDescriptions, listedDescription } from './description.ts';

/** A visible child in the list of a page's sub-pages. */
export interface ListedSubPage {
  id: number;
  name: string;
  urlname: string;
  description: string | null;
  customDate: Timestamp;
}

/** How many sub-pages are listed at once. */
const PAGE_SIZE = 60;

/**
 * Returns a part of the list of a page's visible children, counted from 1, and whether there is a later part; undefined for
 * a part that does not exist. The first part always exists, though it may be empty.
 */
export async function listSubPages(
  trx: Trx,
  accountId: number,
  parent: number,
  part: number,
): Promise<{ subPages: ListedSubPage[]; hasLater: boolean } | undefined> {
  const offset = (part - 1) * PAGE_SIZE;
  if (part > 1) {
    // Positions have no gaps, so this ends early if no child is so far down. Clients can ask for any part.
    const [last] = await selectLast(trx, { accountId, parent });
    if (!last || last.position <= offset) return undefined;
  }
  const rows = await selectPart(trx, { accountId, parent, limit: PAGE_SIZE + 1, offset });
  if (rows.length === 0 && part > 1) return undefined;
  const { shown, hasMore } = partOf(rows, PAGE_SIZE);
  return { subPages: await completeDescriptions(trx, accountId, shown), hasLater: hasMore };
}

const selectLast = prepared<{ accountId: number; parent: number }, { position: number }>((db, parameter) =>
  lastPosition(db, parameter('accountId'), parameter('parent')),
);

const selectPart = prepared<
  { accountId: number; parent: number; limit: number; offset: number },
  ListedSubPage & { hasLong: 0 | 1 }
>((db, parameter) =>
  db
    .selectFrom('pages')
    .select([
      'id',
      'name',
      'urlname',
      listedDescription.description.as('description'),
      listedDescription.hasLong.as('hasLong'),
      'custom_date as customDate',
    ])
    .where('account_id', '=', parameter('accountId'))
    .where(parentKey, '=', parameter('parent'))
    .where(isVisible)
    .orderBy('position')
    .limit(limitInIndexOrder(parameter('limit')))
    .offset(parameter('offset')),
);
