import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * Adds the search index of the pages' words. It is made from the pages and is in no backup, so a restore may find it here
 * already; searches fill it. `words` has the result of `pages/search-words.ts`: every word begins with the account's number,
 * so that a search in an account reads nothing of others.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const sqlite = dialect === 'sqlite';
  const int = sqlite ? 'integer' : 'bigint';
  const end = sqlite ? ') strict' : ')';
  for (const statement of [
    ...[
      'search_accounts',
      'search_queue',
      'search_pages',
      'search_vocabulary',
      ...(sqlite ? ['search_words'] : []),
    ].map((table) => `drop table if exists ${table}`),
    // Pages up to this id are in the index, except those in the queue. Accounts in which nobody has searched have no row.
    `create table search_accounts (
      account_id ${int} not null primary key references accounts (id),
      last_id ${int} not null
    ${end}`,
    `create table search_queue (
      account_id ${int} not null references accounts (id),
      page_id ${int} not null,
      version ${int} not null,
      primary key (account_id, page_id)
    ${end}`,
    `create table search_pages (
      account_id ${int} not null references accounts (id),
      page_id ${int} not null,
      name text ${sqlite ? '' : 'collate "C"'} not null
      ${sqlite ? '' : ', words tsvector not null'},
      primary key (account_id, page_id)
    ${end}`,
    // Every word that the account has in the index: a search for the beginning of a word reads no more than it must.
    `create table search_vocabulary (
      account_id ${int} not null references accounts (id),
      word text ${sqlite ? '' : 'collate "C"'} not null,
      primary key (account_id, word)
    ${sqlite ? ') strict, without rowid' : ')'}`,
    'create index search_pages_name on search_pages (account_id, name)',
    sqlite
      ? `create virtual table search_words using fts5
           (words, content='', contentless_delete=1, detail=none, tokenize='ascii')`
      : // Without a list of pending entries, which every search would read.
        'create index search_pages_words on search_pages using gin (words) with (fastupdate = off)',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
