import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';

/** How many pages of the index, of 4 KB each, one transaction writes at most: other transactions wait for that. */
const MERGED_PAGES = 100;

/** The number of segments on one level from which they are merged: the least that FTS5 allows. */
const USER_MERGE = 2;

/**
 * Merges what many small transactions have written to SQLite's index of words, in small steps: a search looks up each of its words
 * in every segment. FTS5 itself merges segments only once there are 4 on one level.
 */
export async function mergeSearchWords(db: Db): Promise<void> {
  const { rows } = await sql<{ v: number }>`select v from search_words_config where k = 'usermerge'`.execute(db);
  if (rows[0]?.v !== USER_MERGE) {
    await db.transaction().execute((trx) => command(trx, 'usermerge', USER_MERGE));
  }
  while (await db.transaction().execute(mergeSome)) await setImmediate();
}

/** Returns true if there was anything to merge. */
async function mergeSome(trx: Trx): Promise<boolean> {
  const before = await totalChanges(trx);
  await command(trx, 'merge', MERGED_PAGES);
  // The command itself counts as one change.
  return (await totalChanges(trx)) - before >= 2;
}

async function command(trx: Trx, name: string, value: number): Promise<void> {
  await sql`insert into search_words (search_words, rank) values (${sql.lit(name)}, ${sql.lit(value)})`.execute(trx);
}

async function totalChanges(trx: Trx): Promise<number> {
  const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(trx);
  return rows[0]!.changes;
}
