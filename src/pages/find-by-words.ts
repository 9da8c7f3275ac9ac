import { sql } from 'kysely';
import { dialectOf, type Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { fold } from '../fold.ts';
import { pagesById } from './pages-by-id.ts';
import { byRank, type Match, rankIn } from './scan-names.ts';
import {
  nameTerms,
  pieceTerms,
  type Term,
  textTerms,
  urlnameTerms,
  wantedWords,
  wholeUrlname,
  wordsIn,
} from './search-words.ts';

/** Finds the ids of pages whose names or urlnames contain the wanted text, the best first. It reads at most `limit` a query. */
export async function findByName(trx: Trx, accountId: number, wanted: string, limit: number): Promise<number[]> {
  const words = wantedWords(wanted);
  const candidates = new Set(await beginningWith(trx, accountId, wanted, limit));
  for (const terms of [nameTerms(words), pieceTerms(words)]) {
    // Pages whose names begin with the words come first.
    if (candidates.size >= MAX_CANDIDATES) break;
    for (const id of await withWords(trx, accountId, terms, limit)) candidates.add(id);
  }
  const rows = await namesOf(trx, accountId, [...candidates]);
  const matches = rows.flatMap(({ id, name, urlname }): Match[] => {
    const rank = rankOf(fold(name), wanted, words);
    if (rank !== undefined) return [{ id, text: name, rank }];
    const rankThere = rankIn(urlname, wanted);
    return rankThere === undefined ? [] : [{ id, text: urlname, rank: MAX_NAME_RANK + 1 + rankThere }];
  });
  return matches.sort(byRank).map(({ id }) => id);
}

/** Finds the ids of pages whose urlnames contain the wanted text, the best first. */
export async function findByUrlname(trx: Trx, accountId: number, wanted: string, limit: number): Promise<number[]> {
  // The very urlname first: any number may begin with it.
  const ids = new Set(await withWords(trx, accountId, [wholeUrlname(wanted)], limit));
  for (const id of await withWords(trx, accountId, urlnameTerms(wanted), limit)) ids.add(id);
  if (ids.size < MAX_CANDIDATES) {
    for (const id of await withWords(trx, accountId, pieceTerms(wantedWords(wanted)), limit)) ids.add(id);
  }
  const rows = await namesOf(trx, accountId, [...ids]);
  const matches = rows.flatMap(({ id, urlname: text }): Match[] => {
    const rank = rankIn(text, wanted);
    return rank === undefined ? [] : [{ id, text, rank }];
  });
  return matches.sort(byRank).map(({ id }) => id);
}

/** Finds the ids of pages with all of the words in name or text, in no particular order. */
export function findByText(trx: Trx, accountId: number, words: readonly string[], limit: number): Promise<number[]> {
  return withWords(trx, accountId, textTerms(words), limit);
}

/** More than any search shows. */
const MAX_CANDIDATES = 100;

/** Sorts behind every other character. */
const LAST_CHARACTER = '\u{10ffff}';

/** The highest rank that `rankOf` returns. */
const MAX_NAME_RANK = 4;

/** Ranks like `rankIn`, but names in which all of the words begin words come before names that only contain them. */
function rankOf(name: string, wanted: string, words: readonly string[]): number | undefined {
  const rank = rankIn(name, wanted);
  if (rank !== undefined && rank < 3) return rank;
  const its = foldedWords(name);
  if (words.length > 1 && words.every((word) => its.some((one) => one.startsWith(word)))) return 3;
  return rank === undefined ? undefined : MAX_NAME_RANK;
}

const foldedWords = (text: string) => [...wordsIn(text)].map(({ folded }) => folded);

/** Finds the pages whose names begin with the text, in the order of their names. */
async function beginningWith(trx: Trx, accountId: number, start: string, limit: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('search_pages')
    .select('page_id as id')
    .where('account_id', '=', accountId)
    .where('name', '>=', start)
    .where('name', '<', `${start}${LAST_CHARACTER}`)
    .orderBy('name')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * How many words SQLite looks for instead of beginnings, shared by these; a word that is the beginning itself comes first. To look
 * for all words with a prefix would take time in proportion to all places where they stand, of which one account may have a
 * hundred million.
 */
const MAX_WORDS = 1000;

/**
 * Among how many pages PostgreSQL looks first, page by page. For words that most pages have, that is quicker than its index, which puts
 * together all places where they stand before it gives the first of them.
 */
const LIKELY_PAGES = 200;

/** Finds the ids of pages with all of the terms, at most `limit`. */
async function withWords(trx: Trx, accountId: number, terms: readonly Term[], limit: number): Promise<number[]> {
  if (terms.length === 0) return [];
  const sqlite = dialectOf(trx) === 'sqlite';
  const conditions: string[] = [];
  const maxWords = Math.ceil(MAX_WORDS / terms.filter(({ isPrefix }) => isPrefix).length);
  for (const { word, isPrefix } of terms) {
    // The words are letters and digits: nothing in them means anything to either database.
    if (!sqlite) {
      conditions.push(`'${accountId}${word}'${isPrefix ? ':*' : ''}`);
      continue;
    }
    const words = isPrefix ? await wordsBeginning(trx, accountId, word, maxWords) : [word];
    if (words.length === 0) return [];
    conditions.push(`(${words.map((word) => `"${accountId}${word}"`).join(' OR ')})`);
  }
  if (sqlite) {
    const { rows } = await sql<{ id: number }>`
      select rowid as id from search_words
      where search_words match ${conditions.join(' AND ')} limit ${limit}`.execute(trx);
    return rows.map(({ id }) => id);
  }
  return withWordsOnPostgres(trx, accountId, conditions.join(' & '), limit);
}

async function withWordsOnPostgres(trx: Trx, accountId: number, query: string, limit: number): Promise<number[]> {
  await avoidScans(trx);
  const wanted = sql`${query}::tsquery`;
  // The sum leaves it the index of words alone: with the other one, it would look through the account's pages.
  const { rows } = await sql<{ id: number }>`
    with likely as materialized (
      select page_id as id from (
        select page_id, words from search_pages where account_id = ${accountId}
        order by account_id, page_id limit ${limitInIndexOrder(LIKELY_PAGES)}
      ) as first_pages
      where words @@ ${wanted} limit ${limit}
    ), indexed as (
      select page_id as id from search_pages
      where (select count(*) from likely) < ${limit} and words @@ ${wanted} and account_id + 0 = ${accountId}
      limit ${limit}
    )
    select id from likely union select id from indexed order by id limit ${limit}`.execute(trx);
  return rows.map(({ id }) => id);
}

const avoiding = new WeakSet<Trx>();

/** Where PostgreSQL takes words for common, it would look through the pages of all accounts until it has enough. */
async function avoidScans(trx: Trx): Promise<void> {
  if (avoiding.has(trx)) return;
  avoiding.add(trx);
  await sql`set local enable_seqscan = off`.execute(trx);
}

async function wordsBeginning(trx: Trx, accountId: number, start: string, limit: number): Promise<string[]> {
  const rows = await trx
    .selectFrom('search_vocabulary')
    .select('word')
    .where('account_id', '=', accountId)
    .where('word', '>=', start)
    .where('word', '<', `${start}${LAST_CHARACTER}`)
    .orderBy('word')
    .limit(limit)
    .execute();
  return rows.map(({ word }) => word);
}

async function namesOf(trx: Trx, accountId: number, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: number; name: string; urlname: string }>`
    select pages.id, pages.name, pages.urlname from ${pagesById(trx, accountId, ids)}`.execute(trx);
  return rows;
}
