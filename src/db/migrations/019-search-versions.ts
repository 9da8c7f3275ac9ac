import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * The index of words has the version of each page that it was made from, by which `doctor` tells what is missing or old. It is
 * emptied, and filled again by the next search of each account and within an hour.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const sqlite = dialect === 'sqlite';
  for (const statement of [
    'delete from search_queue',
    'delete from search_pages',
    'delete from search_vocabulary',
    ...(sqlite ? ["insert into search_words (search_words) values ('delete-all')"] : []),
    'update search_accounts set last_id = 0',
    `alter table search_pages add column version ${sqlite ? 'integer' : 'bigint'} not null default 0`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}
