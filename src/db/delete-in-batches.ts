import { type RawBuilder, sql } from 'kysely';
import { type Db, dialectOf } from './database.ts';
import { fewRows } from './few-rows.ts';
import { inBatches } from './in-batches.ts';
import type { Schema } from './schema.ts';

/** How many rows one statement deletes. */
export const DELETE_BATCH_SIZE = 500;

export interface RowsToDelete {
  table: keyof Schema;
  /** The columns that identify a row. */
  key: readonly string[];
  where: RawBuilder<unknown>;
  /** How many rows one statement deletes. */
  batchSize?: number | undefined;
  /** The length of a row's texts, of which one statement deletes few bytes. */
  bytes?: RawBuilder<number>;
}

/**
 * Deletes the rows of a table that meet the condition, in parts with a transaction each, so that no other transaction
 * waits for all of them. Returns how many rows it deleted.
 */
export async function deleteInBatches(
  db: Db,
  { table, key, where, batchSize = DELETE_BATCH_SIZE, bytes }: RowsToDelete,
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  // A part with long texts may have any number of rows.
  return inBatches(db, bytes ? 1 : batchSize, async (trx) => {
    // The lock waits for rows that another process is deleting and leaves them out: fewer rows than a part are the last.
    const lock = dialectOf(trx) === 'postgres' ? sql`for update` : sql``;
    const { numAffectedRows } = await sql`
      with part as materialized (
        select ${columns}, ${bytes ?? sql.lit(0)} as bytes from ${sql.table(table)} where ${where} limit ${batchSize} ${lock}
      )
      delete from ${sql.table(table)} where (${columns}) in (${fewRows({ key, rows: sql`select * from part` })})`.execute(
      trx,
    );
    return Number(numAffectedRows);
  });
}

interface OldRows {
  table: keyof Schema;
  /** The column with the time of a row, with which the ids grow. */
  time: string;
  until: number;
  /** How many rows one transaction examines. */
  batchSize?: number | undefined;
}

/** Deletes the rows of a table up to a time, in parts with a transaction each. Returns how many rows it deleted. */
export async function deleteUntil(
  db: Db,
  { table, time, until, batchSize = DELETE_BATCH_SIZE }: OldRows,
): Promise<number> {
  return inBatches(db, batchSize, async (trx) => {
    // No index on the time is needed: if none of the lowest ids is old, nothing is.
    const lowest = sql`select id from ${sql.table(table)} order by id limit ${batchSize}`;
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where id in (${lowest}) and ${sql.ref(time)} <= ${until}`.execute(trx);
    return Number(numAffectedRows);
  });
}
