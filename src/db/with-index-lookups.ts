import { sql } from 'kysely';
import { dialectOf, type Trx } from './database.ts';

/**
 * Runs the statements of `work` with PostgreSQL's sequential scans off. It is for look-ups that are repeated for each row, where the table's
 * statistics mislead: with a few accounts that have all the customers, it believes that every account has that many, and
 * reads the whole table for each.
 */
export async function withIndexLookups<T>(trx: Trx, work: () => Promise<T>): Promise<T> {
  if (dialectOf(trx) === 'sqlite') return work();
  await sql`set local enable_seqscan = off`.execute(trx);
  const result = await work();
  await sql`set local enable_seqscan to default`.execute(trx);
  return result;
}
