import { type RawBuilder, sql } from 'kysely';
import { type Db, dialectOf, type Trx } from './database.ts';
import type { Schema } from './schema.ts';

/**
 * Joins a table by looking up its rows in an index for each row of the query so far. The condition compares columns of the
 * table with columns of those rows.
 *
 * With a plain join, PostgreSQL may read all rows of an account and hash them, depending on its statistics. It does not look
 * into a sub-query with an offset, so it can only join what the sub-query finds for one row. SQLite runs a cross join in the
 * order in which it is written.
 */
export function lookupJoin(db: Db | Trx, table: keyof Schema, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const name = sql.table(table);
  return dialectOf(db) === 'postgres'
    ? sql`cross join lateral (select * from ${name} where ${condition} offset 0) as ${name}`
    : sql`cross join ${name} on ${condition}`;
}
