import type { Db } from '../db/database.ts';
import { RELEASE_PERIOD } from './subdomain.ts';

/** Forgets whose subdomains were that anybody may have again. Returns how many. */
export async function forgetReleasedSubdomains(db: Db, now = Date.now()): Promise<number> {
  const { numDeletedRows } = await db.transaction().execute((trx) =>
    trx
      .deleteFrom('released_subdomains')
      .where('released_at', '<=', now - RELEASE_PERIOD)
      .executeTakeFirstOrThrow(),
  );
  return Number(numDeletedRows);
}
