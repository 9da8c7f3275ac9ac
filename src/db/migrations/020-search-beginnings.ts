import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * The index has the beginnings of words as words of their own, by which pages with two common beginnings are found at once. It
 * is emptied, and filled again by the next search of each account and within an hour.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const statement of [
    'delete from search_vocabulary',
    'delete from search_queue',
    'delete from search_pages',
    ...(dialect === 'sqlite' ? ["insert into search_words (search_words) values ('delete-all')"] : []),
    'update search_accounts set last_id = 0',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
