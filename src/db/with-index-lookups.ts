import { sql } from 'kysely';
import { dialectOf, type Trx } from './database.ts';

/**
 * Runs the statements of `work` with PostgreSQL's sequential scans off. Use it for lookups that are repeated for each row if
 * the table's statistics mislead. With a few accounts that have all the customers, PostgreSQL assumes that many for every
 * account, and reads the whole table for each.
 */
export async function withIndexLookups<T>(trx: Trx, work: () => Promise<T>): Promise<T> {
  if (dialectOf(trx) === 'sqlite') return work();
  await sql`set local enable_seqscan = off`.execute(trx);
  const result = await work();
  await sql`set local enable_seqscan to default`.execute(trx);
  return result;
}
