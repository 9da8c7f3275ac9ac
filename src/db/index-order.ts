import { type Expression, type RawBuilder, sql } from 'kysely';
import { type Db, dialectOf, type Trx } from './database.ts';

/**
 * Returns a limit that PostgreSQL does not know when it plans a query in the order of an index. PostgreSQL then assumes a
 * tenth of the rows and reads them in that order. With a known limit above its estimate of the number of rows, it may read
 * all of them and sort.
 */
export function limitInIndexOrder(limit: number | Expression<number>): RawBuilder<number> {
  return sql<number>`(select cast(${limit} as bigint))`;
}

/**
 * Returns the condition that a numeric column is null, for rows that are read in the order of an index. In a table without
 * statistics, PostgreSQL expects null in one row of 200. It would then read all rows and sort the few that it expects. The
 * expression hides the test for null.
 */
export function isNullInIndexOrder(column: string): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${sql.ref(column)}, -1) < 0`;
}

/** Returns the opposite of `isNullInIndexOrder`. */
export function isNotNullInIndexOrder(column: string): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${sql.ref(column)}, -1) >= 0`;
}

/**
 * Orders an account's rows by id, latest first, starting below the id `before`.
 *
 * On PostgreSQL, the account is part of the range and of the order, so that only an index on both columns can serve.
 * Otherwise, if PostgreSQL takes the account for most of the table, it goes through the ids of all accounts.
 *
 * On SQLite, the id is compared alone. Only then does SQLite use the id, which is the row id, in that index; for a pair, it
 * would read all rows above `before`.
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
  /** The first column of the index, and the value that all of the rows have in it. */
  column: string;
  value: number | string;
  key: string;
  /** The rows begin after this key. */
  after: number;
  /** The last key; by default, the range has no end. */
  until?: number | undefined;
}

/**
 * Selects the rows that have one value in a column and a key in a range, by an index on both columns. On PostgreSQL, the
 * column is part of the range and of the order for the reason given in `latestFirst`.
 */
export function rangeInIndexOrder(
  db: Db | Trx,
  { column, value, key, after, until = Number.MAX_SAFE_INTEGER }: RangeInIndexOrder,
) {
  const order = [sql.ref<number | string>(column), sql.ref<number>(key)] as const;
  const [columnRef, keyRef] = order;
  const where =
    dialectOf(db) === 'sqlite'
      ? sql<boolean>`(${columnRef} = ${value} and ${keyRef} > ${after} and ${keyRef} <= ${until})`
      : sql<boolean>`((${columnRef}, ${keyRef}) > (${value}, ${after}) and (${columnRef}, ${keyRef}) <= (${value}, ${until}))`;
  return { where, order };
}
