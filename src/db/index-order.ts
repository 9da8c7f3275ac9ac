import { type Expression, type RawBuilder, sql } from 'kysely';
import { type Db, dialectOf, type Trx } from './database.ts';

/**
 * Returns a limit for rows in the order of an index that PostgreSQL does not know when it plans. It then assumes a tenth of
 * the rows and reads them in the order of the index. With a known limit above its estimate of the number of rows, it may
 * read all of them and sort.
 */
export function limitInIndexOrder(limit: number | Expression<number>): RawBuilder<number> {
  return sql<number>`(select cast(${limit} as bigint))`;
}

/**
 * Whether a column of numbers is null, in rows that are read in the order of an index. PostgreSQL believes that one row of 200 has
 * null in a column of a table that it never looked at, and as many have not: it would read all rows and sort what few it expects.
 */
export function isNullInIndexOrder(column: string): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${sql.ref(column)}, -1) < 0`;
}

/** Whether such a column is not null. */
export function isNotNullInIndexOrder(column: string): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${sql.ref(column)}, -1) >= 0`;
}

/**
 * Orders an account's rows by id, the latest first, starting below the id `before`. For PostgreSQL, the account stands in a
 * range and in the order, so that only an index on both can serve: where it takes the account for most of the table, it would
 * otherwise go through the ids of all accounts. SQLite uses the id, which is the table's row id, in that index only where it
 * stands alone: compared as a pair, it would read all rows above `before`.
 */
export function latestFirst(
  db: Db | Trx,
  table: string,
  accountId: number | Expression<number>,
  before: number | Expression<number> = Number.MAX_SAFE_INTEGER,
  column = 'account_id',
) {
  const [account, id] = [sql.ref<number>(`${table}.${column}`), sql.ref<number>(`${table}.id`)];
  const where =
    dialectOf(db) === 'sqlite'
      ? sql<boolean>`(${account} = ${accountId} and ${id} < ${before})`
      : sql<boolean>`(${account} >= ${accountId} and (${account}, ${id}) < (${accountId}, ${before}))`;
  return { where, account, id };
}

interface RangeInIndexOrder {
  /** The column before the key in the index, and the value that the rows have in it. */
  column: string;
  value: number | string;
  key: string;
  /** The rows begin after this key. */
  after: number;
  /** The last key; by default there is none. */
  until?: number | undefined;
}

/**
 * Selects a range of a key among rows with one value in a column, by an index on both. For PostgreSQL, the column stands in
 * the range and in the order for the reason given in `latestFirst`.
 */
export function rangeInIndexOrder(
  db: Db | Trx,
  { column, value, key, after, until = Number.MAX_SAFE_INTEGER }: RangeInIndexOrder,
) {
  const order = [sql.ref<number | string>(column), sql.ref<number>(key)] as const;
  const [its, place] = order;
  const where =
    dialectOf(db) === 'sqlite'
      ? sql<boolean>`(${its} = ${value} and ${place} > ${after} and ${place} <= ${until})`
      : sql<boolean>`((${its}, ${place}) > (${value}, ${after}) and (${its}, ${place}) <= (${value}, ${until}))`;
  return { where, order };
}
