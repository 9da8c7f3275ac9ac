import type { Db } from '../db/database.ts';

/** Removes sessions, links and challenges that are long over. Returns how many. */
export async function forgetOldSessions(db: Db, now = Date.now()): Promise<number> {
  let count = 0;
  for (const table of ['sessions', 'one_time_links', 'passkey_challenges'] as const) {
    const { numDeletedRows } = await db
      .transaction()
      .execute((trx) => trx.deleteFrom(table).where('expires_at', '<', now).executeTakeFirstOrThrow());
    count += Number(numDeletedRows);
  }
  return count;
}
