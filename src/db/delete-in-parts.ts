import { type RawBuilder, sql } from 'kysely';
import { type Db, dialectOf } from './database.ts';
import { inParts } from './in-parts.ts';
import type { Schema } from './schema.ts';

/** How many rows one statement deletes, where nobody says otherwise. */
export const ROWS_AT_ONCE = 500;

export interface RowsToDelete {
  table: keyof Schema;
  /** The columns that tell its rows apart. */
  key: readonly string[];
  where: RawBuilder<unknown>;
  /** How many rows one statement deletes. */
  part?: number;
}

/**
 * Deletes the rows of a table that the condition is true of, each part in a transaction of its own, so that nobody waits
 * for all of it. Returns how many there were.
 */
export async function deleteInParts(db: Db, { table, key, where, part = ROWS_AT_ONCE }: RowsToDelete): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  return inParts(db, part, async (trx) => {
    // Rows that somebody else is deleting are waited for and not counted: fewer than a part means that none are left.
    const lock = dialectOf(trx) === 'postgres' ? sql`for update` : sql``;
    const { numAffectedRows } = await sql`
      with part as materialized (select ${columns} from ${sql.table(table)} where ${where} limit ${part} ${lock})
      delete from ${sql.table(table)} where (${columns}) in (select ${columns} from part)`.execute(trx);
    return Number(numAffectedRows);
  });
}
