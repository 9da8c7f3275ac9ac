import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';

const tables = [
  { table: 'sessions', key: ['id'] },
  { table: 'one_time_links', key: ['id'] },
  { table: 'passkey_challenges', key: ['hash'] },
] as const;

/** Deletes expired sessions, links and challenges. Returns how many. */
export async function pruneSessions(db: Db): Promise<number> {
  let count = 0;
  for (const { table, key } of tables) {
    count += await deleteInBatches(db, { table, key, where: sql`expires_at < ${Date.now()}` });
  }
  return count;
}
