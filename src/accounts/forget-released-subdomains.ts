import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { deleteInParts } from '../db/delete-in-parts.ts';
import { RELEASE_PERIOD } from './subdomain.ts';

/** Forgets whose subdomains were that anybody may have again. Returns how many. */
export function forgetReleasedSubdomains(db: Db, now = Date.now()): Promise<number> {
  const where = sql`released_at <= ${now - RELEASE_PERIOD}`;
  return deleteInParts(db, { table: 'released_subdomains', key: ['subdomain'], where });
}
