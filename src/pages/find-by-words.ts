import { sql } from 'kysely';
import { dialectOf, type Trx } from '../db/database.ts';
import { byRank, type Match, rankIn } from './scan-names.ts';
import { fold, nameTerms, pieceTerms, type Term, textTerms, urlnameTerms, wordsIn } from './search-words.ts';

/** Finds the ids of pages whose names or urlnames contain the wanted text, the best first. It reads at most `limit` a query. */
export async function findByName(trx: Trx, accountId: number, wanted: string, limit: number): Promise<number[]> {
  const words = foldedWords(wanted);
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
  const ids = new Set(await withWords(trx, accountId, urlnameTerms(wanted), limit));
  if (ids.size < MAX_CANDIDATES) {
    for (const id of await withWords(trx, accountId, pieceTerms(foldedWords(wanted)), limit)) ids.add(id);
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
 * How many words with one prefix a search looks for. A prefix of more words hardly restricts the result, and reading the
 * pages of all of them would take time in proportion to the account.
 */
const MAX_WORDS = 300;

/** Finds the ids of pages with all of the terms, at most `limit`. */
async function withWords(trx: Trx, accountId: number, terms: readonly Term[], limit: number): Promise<number[]> {
  if (terms.length === 0) return [];
  const sqlite = dialectOf(trx) === 'sqlite';
  const alternatives: string[] = [];
  for (const { word, isPrefix } of terms) {
    const words = isPrefix ? await wordsBeginning(trx, accountId, word) : [word];
    if (words.length === 0) return [];
    const quoted = (some: readonly string[]) =>
      some.map((one) => (sqlite ? `"${accountId}${one}"` : `'${accountId}${one}'`));
    // The words are letters and digits: nothing in them means anything to either database.
    if (sqlite) alternatives.push(`(${quoted(words).join(' OR ')})`);
    // PostgreSQL asks each word of each page, and reads all pages of a beginning: few of the former, and none too common.
    else if (isPrefix && words.length < MAX_WORDS) alternatives.push(`${quoted([word])}:*`);
    else alternatives.push(`(${quoted(words.slice(0, 20)).join(' | ')})`);
  }
  const { rows } = await (sqlite
    ? sql<{ id: number }>`
        select rowid as id from search_words where search_words match ${alternatives.join(' AND ')} limit ${limit}`
    : sql<{ id: number }>`
        select page_id as id from search_pages
        where words @@ ${alternatives.join(' & ')}::tsquery and account_id = ${accountId} limit ${limit}`
  ).execute(trx);
  return rows.map(({ id }) => id);
}

async function wordsBeginning(trx: Trx, accountId: number, start: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('search_vocabulary')
    .select('word')
    .where('account_id', '=', accountId)
    .where('word', '>=', start)
    .where('word', '<', `${start}${LAST_CHARACTER}`)
    .orderBy('word')
    .limit(MAX_WORDS)
    .execute();
  return rows.map(({ word }) => word);
}

function namesOf(trx: Trx, accountId: number, ids: readonly number[]) {
  if (ids.length === 0) return Promise.resolve([]);
  return trx
    .selectFrom('pages')
    .select(['id', 'name', 'urlname'])
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute();
}
