import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * Adds the beginnings of words to the index as words of their own, so that pages with two common beginnings are found at
 * once. The index is emptied; the next search in each account fills it again, and the service within an hour.
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
