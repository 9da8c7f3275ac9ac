import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Db, dialectOf } from '../db/database.ts';
import { MEDIA_PATH } from './media-name.ts';

/** How many pages are listed. */
const MAX_USES = 20;

/** How many pages are read before other work gets its turn: the whole text of each has to be read. */
const BATCH_SIZE = 200;

interface Uses {
  /** The first pages that show it, published or in a draft. */
  pages: { id: number; name: string }[];
  total: number;
}

/** Returns the pages that show the account's image. */
export async function findUses(db: Db, accountId: number, hash: string): Promise<Uses> {
  const path = `${MEDIA_PATH}${hash}-`;
  // On a text full of slashes, SQLite's LIKE takes more than twice as long.
  const positionIn = sql.raw(dialectOf(db) === 'sqlite' ? 'instr' : 'strpos');
  const uses: Uses = { pages: [], total: 0 };
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number; name: string; shows: number }>`
      select id, name, case when ${positionIn}(body, ${path}) > 0 or exists (
          select 1 from drafts where drafts.account_id = pages.account_id and drafts.page_id = pages.id
            and ${positionIn}(drafts.fields, ${path}) > 0) then 1 else 0 end as shows
      from pages where account_id = ${accountId} and id > ${after} order by id limit ${sql.lit(BATCH_SIZE)}`.execute(
      db,
    );
    for (const { id, name, shows } of rows) {
      if (shows === 0) continue;
      uses.total += 1;
      if (uses.pages.length < MAX_USES) uses.pages.push({ id, name });
    }
    if (rows.length < BATCH_SIZE) return uses;
    after = rows.at(-1)!.id;
    await setImmediate();
  }
}
