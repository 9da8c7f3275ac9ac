import { type RawBuilder, sql } from 'kysely';
import { type Db, dialectOf } from './database.ts';
import { inBatches } from './in-batches.ts';
import { keysToDelete } from './keys-to-delete.ts';
import type { Schema } from './schema.ts';

/** How many rows one statement deletes by default. */
export const DELETE_BATCH_SIZE = 500;

export interface RowsToDelete {
  table: keyof Schema;
  /** The columns that identify a row. */
  key: readonly string[];
  where: RawBuilder<unknown>;
  /** How many rows one statement deletes at most. */
  batchSize?: number | undefined;
  /** The bytes of a row's texts, if they may be long: one statement deletes at most `MAX_DELETED_BYTES` of them. */
  bytes?: RawBuilder<number>;
}

/**
 * Deletes the rows of a table that meet the condition, in batches with a transaction each, so that no other transaction
 * waits for all of them. Returns the number of deleted rows.
 */
export async function deleteInBatches(
  db: Db,
  { table, key, where, batchSize = DELETE_BATCH_SIZE, bytes }: RowsToDelete,
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  // If texts are long, any batch may have fewer rows than `batchSize`: go on until nothing is left.
  return inBatches(db, bytes ? 1 : batchSize, async (trx) => {
    // The lock waits for rows that another process is deleting, and leaves them out. A batch that is shorter for this reason
    // is the last.
    const lock = dialectOf(trx) === 'postgres' ? sql`for update` : sql``;
    const { numAffectedRows } = await sql`
      with part as materialized (
        select ${columns}, ${bytes ?? sql.lit(0)} as bytes from ${sql.table(table)} where ${where} limit ${batchSize} ${lock}
      )
      delete from ${sql.table(table)} where (${columns}) in (${keysToDelete({ key, rows: sql`select * from part` })})`.execute(
      trx,
    );
    return Number(numAffectedRows);
  });
}

interface OldRows {
  table: keyof Schema;
  /** The column with the time of a row. Times increase with the ids. */
  time: string;
  until: number;
  /** How many rows one transaction examines. */
  batchSize?: number | undefined;
}

/** Deletes the rows of a table up to a time, in batches with a transaction each. Returns the number of deleted rows. */
export async function deleteUntil(
  db: Db,
  { table, time, until, batchSize = DELETE_BATCH_SIZE }: OldRows,
): Promise<number> {
  return inBatches(db, batchSize, async (trx) => {
    // No index on the time is needed: if none of the rows with the lowest ids is old, no row is.
    const lowest = sql`select id from ${sql.table(table)} order by id limit ${batchSize}`;
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where id in (${lowest}) and ${sql.ref(time)} <= ${until}`.execute(trx);
    return Number(numAffectedRows);
  });
}
