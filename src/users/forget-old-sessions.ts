import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { deleteInParts } from '../db/delete-in-parts.ts';

const keys = { sessions: ['id'], one_time_links: ['id'], passkey_challenges: ['hash'] } as const;

/** Removes sessions, links and challenges that are long over. Returns how many. */
export async function forgetOldSessions(db: Db, now = Date.now()): Promise<number> {
  let count = 0;
  for (const table of ['sessions', 'one_time_links', 'passkey_challenges'] as const) {
    count += await deleteInParts(db, { table, key: keys[table], where: sql`expires_at < ${now}` });
  }
  return count;
}
