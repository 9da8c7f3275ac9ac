import { type Expression, type RawBuilder, sql } from 'kysely';
import { type Db, dialectOf, type Trx } from './database.ts';
import type { Schema } from './schema.ts';

/**
 * Joins the rows of a table that a condition finds, looked up anew for each row so far. An index of the table must answer the
 * condition, which is on columns of the table and of the rows so far.
 *
 * As a plain join, PostgreSQL may read all rows of an account and hash them, depending on what it believes of the table. It
 * does not look into a sub-query with an offset, so there is nothing to join but what the sub-query finds for one row. SQLite
 * takes a cross join in the order in which it is written.
 */
export function lookUpEach(db: Db | Trx, table: keyof Schema, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const name = sql.table(table);
  return dialectOf(db) === 'postgres'
    ? sql`cross join lateral (select * from ${name} where ${condition} offset 0) as ${name}`
    : sql`cross join ${name} on ${condition}`;
}

/**
 * The ids of a JSON array as rows to begin with: `listed.id`. They are one parameter however many there are, so the statement
 * stays the same, and each of them can be looked up where `id in (…)` may read all rows of an account.
 */
export function listedIds(db: Db | Trx, list: Expression<string>): RawBuilder<unknown> {
  return dialectOf(db) === 'postgres'
    ? sql`(select cast(value as bigint) as id from json_array_elements_text(cast(${list} as json))) as listed`
    : sql`(select value as id from json_each(${list})) as listed`;
}
