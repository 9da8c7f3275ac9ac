import { type Expression, type RawBuilder, sql } from 'kysely';

/**
 * Returns a limit for rows in the order of an index that PostgreSQL does not know when it plans. It then assumes a tenth of
 * the rows and reads them in the order of the index. With a known limit above its estimate of the number of rows, it may
 * read all of them and sort.
 */
export function limitInIndexOrder(limit: number | Expression<number>): RawBuilder<number> {
  return sql<number>`(select cast(${limit} as bigint))`;
}

/**
 * Orders an account's rows by id, the latest first, starting below the id `before`. The account stands in a range and in the
 * order, so that only an index on both can serve: where PostgreSQL takes the account for most of the table, it would
 * otherwise go through the ids of all accounts.
 */
export function latestFirst(table: string, accountId: number, before = Number.MAX_SAFE_INTEGER) {
  const [account, id] = [sql.ref<number>(`${table}.account_id`), sql.ref<number>(`${table}.id`)];
  return {
    where: sql<boolean>`(${account} >= ${accountId} and (${account}, ${id}) < (${accountId}, ${before}))`,
    account,
    id,
  };
}
