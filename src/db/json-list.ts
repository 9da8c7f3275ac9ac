import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Db, dialectOf, type Trx } from './database.ts';

/*
 * Lists as parameters of statements. A JSON array of any length is one parameter, so the statement stays the same and can be
 * prepared.
 */

/** Returns the condition that the column has one of the texts (or whole numbers) in a JSON array. */
export function inJsonList(
  db: Db,
  column: string,
  list: Expression<string>,
  type: 'text' | 'bigint' = 'text',
): RawBuilder<SqlBool> {
  return dialectOf(db) === 'postgres'
    ? sql`${sql.ref(column)} = any(array(select json_array_elements_text(cast(${list} as json)))::${sql.raw(type)}[])`
    : sql`${sql.ref(column)} in (select value from json_each(${list}))`;
}

/**
 * Turns a JSON array of ids into rows `listed.id`, so that `lookupJoin` can look up each id. With `in`, the database may
 * read a whole account.
 */
export function idRows(db: Db | Trx, list: Expression<string>): RawBuilder<unknown> {
  return dialectOf(db) === 'postgres'
    ? sql`(select cast(value as bigint) as id from json_array_elements_text(cast(${list} as json))) as listed`
    : sql`(select value as id from json_each(${list})) as listed`;
}

/** Turns a JSON array of texts into rows `listed.text`. See `idRows`. */
export function textRows(db: Db | Trx, list: Expression<string>): RawBuilder<unknown> {
  return dialectOf(db) === 'postgres'
    ? sql`(select value as text from json_array_elements_text(cast(${list} as json))) as listed`
    : sql`(select value as text from json_each(${list})) as listed`;
}
