import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Db, dialectOf } from './database.ts';

/**
 * Whether the column has one of the texts (or whole numbers) in a JSON array, which is one parameter however many there are: the statement
 * stays the same, and can be prepared.
 */
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
