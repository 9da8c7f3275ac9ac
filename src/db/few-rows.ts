import { type RawBuilder, sql } from 'kysely';

/** How many bytes of texts one transaction deletes, if it deletes more than one row: SQLite reads a long text to its end. */
export const MAX_DELETED_BYTES = 1_000_000;

interface FewRows {
  /** The columns that identify a row. */
  key: readonly string[];
  /** Rows with the columns of the key and `bytes`, the length of their texts. */
  rows: RawBuilder<unknown>;
}

/** Builds a query of the keys of the first of the rows: so many that their texts have few bytes, and one at least. */
export function fewRows({ key, rows }: FewRows): RawBuilder<unknown> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  return sql`
    select ${columns} from (
      select ${columns}, bytes, sum(bytes) over (order by ${columns}) as total from (${rows}) as long_rows
    ) as counted
    where total <= ${sql.lit(MAX_DELETED_BYTES)} or total = bytes`;
}
