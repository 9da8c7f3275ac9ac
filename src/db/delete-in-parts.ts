import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';
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
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where (${columns}) in (
        select ${columns} from ${sql.table(table)} where ${where} limit ${part}
      )`.execute(trx);
    return Number(numAffectedRows);
  });
}
