import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** The most pages that are listed, and that are counted. */
const MAX_LISTED = 20;
const MAX_COUNTED = 200;

interface Uses {
  /** The first pages that show the image, published or in a draft. */
  pages: { id: number; name: string }[];
  /** How many pages show the image, at most 200. */
  total: number;
  /** True if more pages than `total` show the image. */
  hasMore: boolean;
}

/** Returns the pages that show the account's image. */
export async function findUses(db: Db, accountId: number, hash: string): Promise<Uses> {
  const found: Uses['pages'] = [];
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number; name: string | null }>`
      select page_id as id, (
        select name from pages where pages.account_id = ${accountId} and pages.id = shown.page_id
      ) as name
      from (
        select distinct page_id from page_images
        where account_id = ${accountId} and hash = ${hash} and page_id > ${after}
        order by page_id limit ${sql.lit(MAX_COUNTED + 1)}
      ) as shown
      order by page_id`.execute(db);
    // Deleted pages have no name, and there may be any number of them.
    for (const { id, name } of rows) if (name !== null) found.push({ id, name });
    if (rows.length <= MAX_COUNTED || found.length > MAX_COUNTED) break;
    after = rows.at(-1)!.id;
    await setImmediate();
  }
  return {
    pages: found.slice(0, MAX_LISTED),
    total: Math.min(found.length, MAX_COUNTED),
    hasMore: found.length > MAX_COUNTED,
  };
}
