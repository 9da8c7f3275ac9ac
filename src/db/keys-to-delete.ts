import { type RawBuilder, sql } from 'kysely';

/**
 * How many bytes of texts one transaction deletes, unless a single row has more. SQLite reads a long text to its end to
 * delete it.
 */
export const MAX_DELETED_BYTES = 1_000_000;

interface KeysToDeleteInput {
  /** The columns that identify a row. */
  key: readonly string[];
  /** A query of rows with the columns of the key and `bytes`, the length of their texts. */
  rows: RawBuilder<unknown>;
}

/** Builds a query for the keys of the first rows: as many as have at most `MAX_DELETED_BYTES` of texts, but at least one. */
export function keysToDelete({ key, rows }: KeysToDeleteInput): RawBuilder<unknown> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  return sql`
    select ${columns} from (
      select ${columns}, bytes, sum(bytes) over (order by ${columns}) as total from (${rows}) as long_rows
    ) as counted
    where total <= ${sql.lit(MAX_DELETED_BYTES)} or total = bytes`;
}
