import { sql } from 'kysely';
import { dialectOf, type Trx } from './database.ts';

/** How many ids one statement of PostgreSQL returns. */
const BATCH_SIZE = 10_000;

/**
 * Reserves ids of a table for rows that the transaction inserts, and returns them in ascending order. No other row ever gets
 * them.
 */
export async function reserveIds(trx: Trx, table: string, count: number): Promise<number[]> {
  if (count === 0) return [];
  const ids: number[] = [];
  if (dialectOf(trx) === 'sqlite') {
    const { rows } = await sql<{ last: number }>`
      update sqlite_sequence set seq = seq + ${count} where name = ${table} returning seq as last`.execute(trx);
    const last = rows[0]?.last ?? count;
    // A table that has never had a row is missing from `sqlite_sequence`.
    if (rows.length === 0) await sql`insert into sqlite_sequence (name, seq) values (${table}, ${count})`.execute(trx);
    for (let id = last - count + 1; id <= last; id++) ids.push(id);
    return ids;
  }
  while (ids.length < count) {
    const { rows } = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence(${table}, 'id')) as id
      from generate_series(1, ${Math.min(BATCH_SIZE, count - ids.length)})`.execute(trx);
    for (const { id } of rows) ids.push(id);
  }
  return ids.sort((a, b) => a - b);
}
