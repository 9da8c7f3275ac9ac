import { type Expression, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { MAX_DEPTH } from './page.ts';
import { numbered } from './urlname.ts';

/** A page's parent in queries and indexes: root pages have 0, since nulls are equal to nothing. */
export const parentKey = sql<number>`coalesce(parent_id, 0)`;

/** The position of a parent's last child, as a subquery; null where there is none. */
export function lastPosition(db: Db, accountId: Expression<number>, parent: Expression<number>) {
  return db
    .selectFrom('pages')
    .select('position')
    .where('account_id', '=', accountId)
    .where(parentKey, '=', parent)
    .orderBy('position', 'desc')
    .limit(1);
}

/**
 * A query with `ancestors`: the page itself at depth 1, its parent at 2, and so on to the root; none where the account
 * has no such page.
 */
export function withAncestors(db: Db, accountId: Expression<number>, id: Expression<number>) {
  return db.withRecursive('ancestors(parent_id, depth)', (cte) =>
    cte
      .selectFrom('pages')
      .select(['parent_id', sql<number>`1`.as('depth')])
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .unionAll((union) =>
        union
          .selectFrom('ancestors')
          .innerJoin('pages', (join) =>
            join.on('pages.account_id', '=', accountId).onRef('pages.id', '=', 'ancestors.parent_id'),
          )
          .select(['pages.parent_id', sql<number>`ancestors.depth + 1`.as('depth')])
          // A bound, so that even a cycle that must not exist cannot hang the service.
          .where('ancestors.depth', '<=', MAX_DEPTH),
      ),
  );
}

/**
 * The first of `urlname-2`, `urlname-3`, … that no sibling has; the caller holds the account's tree (see
 * `raiseContentVersion`), so it stays free until its transaction ends.
 *
 * Nearly always it is one of the first, which one look-up finds. Beyond them the number is doubled until it is free, and
 * the gap halved; that all below it are taken is then one count, and the first that is not, one list. With a hundred
 * thousand siblings of one name that is some thirty look-ups, and the index of those siblings read once.
 */
export async function freeUrlname(trx: Trx, accountId: number, parent: number, urlname: string): Promise<string> {
  const first = Array.from({ length: FIRST - 1 }, (_, index) => numbered(urlname, index + 2));
  const taken = await takenOf(trx, accountId, parent, first);
  const free = first.find((candidate) => !taken.has(candidate));
  if (free !== undefined) return free;

  const number = await someFreeNumber(trx, accountId, parent, urlname);
  const below = rangeBelow(accountId, parent, urlname, number);
  const [row] = await countNumbers(trx, below);
  // 2 and those that follow.
  if (row!.count === number - 2) return numbered(urlname, number);
  const numbers = new Set((await selectNumbers(trx, below)).map((other) => Number(other.number)));
  let lowest = FIRST + 1;
  while (numbers.has(lowest)) lowest += 1;
  return numbered(urlname, lowest);
}

/** Numbers up to this are looked at one by one. */
const FIRST = 20;

async function takenOf(trx: Trx, accountId: number, parent: number, urlnames: readonly string[]): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('pages')
    .select('urlname')
    .where('account_id', '=', accountId)
    .where(parentKey, '=', parent)
    .where('urlname', 'in', urlnames)
    .execute();
  return new Set(rows.map((row) => row.urlname));
}

/** A number that is free, above one that is taken. */
async function someFreeNumber(trx: Trx, accountId: number, parent: number, urlname: string): Promise<number> {
  const isTaken = async (number: number) =>
    (await selectTaken(trx, { accountId, parent, urlname: numbered(urlname, number) })).length > 0;
  let taken = FIRST;
  let free = 2 * FIRST;
  while (await isTaken(free)) {
    taken = free;
    free *= 2;
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isTaken(middle)) taken = middle;
    else free = middle;
  }
  return free;
}

const selectTaken = prepared<{ accountId: number; parent: number; urlname: string }, { id: number }>((db, parameter) =>
  db
    .selectFrom('pages')
    .select('id')
    .where('account_id', '=', parameter('accountId'))
    .where(parentKey, '=', parameter('parent'))
    .where('urlname', '=', parameter('urlname')),
);

/** The siblings whose numbers are from 2 up to another, and what of them the database must be told. */
function rangeBelow(accountId: number, parent: number, urlname: string, number: number) {
  const end = numbered(urlname, number);
  const prefix = `${urlname}-`;
  const digits = '9'.repeat(end.length - prefix.length);
  return { accountId, parent, low: `${prefix}1`, high: prefix + digits, end, prefix };
}

type Range = ReturnType<typeof rangeBelow>;

const countNumbers = prepared<Range, { count: number }>((db, parameter) =>
  numbersBelow(db, parameter).select((e) => e.fn.countAll<number>().as('count')),
);

const selectNumbers = prepared<Range, { number: string }>((db, parameter) =>
  numbersBelow(db, parameter).select(sql<string>`substr(urlname, length(${parameter('prefix')}) + 1)`.as('number')),
);

/** The index finds what lies between the lowest and the highest; what among it is no number, or a larger one, goes. */
function numbersBelow(db: Db, parameter: <K extends keyof Range>(name: K) => Expression<Range[K]>) {
  const [end, prefix, low] = [parameter('end'), parameter('prefix'), parameter('low')];
  return db
    .selectFrom('pages')
    .where('account_id', '=', parameter('accountId'))
    .where(parentKey, '=', parameter('parent'))
    .where('urlname', '>', low)
    .where('urlname', '<=', parameter('high'))
    .where(sql<boolean>`(length(urlname) < length(${end}) or (length(urlname) = length(${end}) and urlname < ${end}))`)
    .where(sql<boolean>`substr(urlname, 1, length(${prefix})) = ${prefix}`)
    .where(sql<boolean>`substr(urlname, length(${prefix}) + 1, 1) <> '0'`)
    .where(sql<boolean>`trim(substr(urlname, length(${prefix}) + 1), '0123456789') = ''`);
}
