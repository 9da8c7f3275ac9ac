import { type Expression, type RawBuilder, sql } from 'kysely';

/**
 * A limit for rows in the order of an index. PostgreSQL does not know it when it plans, and then expects to be asked for a
 * tenth of the rows: it reads them in the order of the index. With a limit above the number of rows that it believes in, it
 * may read all there are and sort them.
 */
export function limitInOrder(limit: number | Expression<number>): RawBuilder<number> {
  return sql<number>`(select cast(${limit} as bigint))`;
}

/**
 * Orders an account's rows by id, the latest first, from before an id on; undefined for the latest. It names the account as a
 * range and in the order, so that only an index of both can serve: where PostgreSQL takes the account for most of the table,
 * it would otherwise go through the ids of all accounts.
 */
export function latestFirst(table: string, accountId: number, before = Number.MAX_SAFE_INTEGER) {
  const [account, id] = [sql.ref<number>(`${table}.account_id`), sql.ref<number>(`${table}.id`)];
  return {
    where: sql<boolean>`(${account} >= ${accountId} and (${account}, ${id}) < (${accountId}, ${before}))`,
    account,
    id,
  };
}
