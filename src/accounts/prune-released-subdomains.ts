import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { RELEASE_PERIOD_MS } from './subdomain.ts';

/** Deletes the records of released subdomains whose reservation has ended. Returns how many. */
export function pruneReleasedSubdomains(db: Db, now = Date.now()): Promise<number> {
  const where = sql`released_at <= ${now - RELEASE_PERIOD_MS}`;
  return deleteInBatches(db, { table: 'released_subdomains', key: ['subdomain'], where });
}
