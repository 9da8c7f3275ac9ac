import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * Adds the version of each page from which its index entry was made, so that `doctor` finds missing and old entries. The
 * index is emptied; the next search in each account fills it again, and the service within an hour.
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
