import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { fold } from '../fold.ts';
import { type FindLimits, findWithTerms, LAST_CHARACTER } from './find-with-terms.ts';
import { pagesById } from './pages-by-id.ts';
import { byRank, type Match, rankIn } from './scan-names.ts';
import {
  isLong,
  nameTerms,
  nGramTerms,
  textTerms,
  urlnameTerms,
  wantedWords,
  wholeUrlname,
  wordsIn,
} from './search-words.ts';

/**
 * Returns the ids of pages whose names or urlnames contain the text, the best match first. Each query reads at most `limit`.
 */
export async function findByName(trx: Trx, accountId: number, wanted: string, limit: number): Promise<number[]> {
  const words = wantedWords(wanted);
  const candidates = new Set(await beginningWith(trx, accountId, wanted, limit));
  if (candidates.size < MAX_CANDIDATES) {
    for (const id of await containing(trx, accountId, words, limit)) candidates.add(id);
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

/** Returns the ids of pages whose urlnames contain the text, the best match first. */
export async function findByUrlname(trx: Trx, accountId: number, wanted: string, limit: number): Promise<number[]> {
  // The exact urlname is looked for first: more urlnames than `limit` may begin with it.
  const ids = new Set(await findWithTerms(trx, accountId, [wholeUrlname(wanted)], { limit }));
  for (const id of await findWithTerms(trx, accountId, urlnameTerms(wanted), { limit })) ids.add(id);
  if (ids.size < MAX_CANDIDATES) {
    for (const id of await findWithTerms(trx, accountId, nGramTerms(wantedWords(wanted)), { limit })) ids.add(id);
  }
  const rows = await namesOf(trx, accountId, [...ids]);
  const matches = rows.flatMap(({ id, urlname: text }): Match[] => {
    const rank = rankIn(text, wanted);
    return rank === undefined ? [] : [{ id, text, rank }];
  });
  return matches.sort(byRank).map(({ id }) => id);
}

/**
 * Finds pages whose names or urlnames contain the words. If very many do, the result includes pages whose names have words that
 * begin with them.
 */
async function containing(trx: Trx, accountId: number, words: readonly string[], limit: number): Promise<number[]> {
  const beginning = () => findWithTerms(trx, accountId, nameTerms(words), { limit });
  const anywhere = () => findWithTerms(trx, accountId, nGramTerms(words), { limit });
  if (words.length === 1 || !words.every(isLong)) {
    const namesBeginning = await beginning();
    return namesBeginning.length >= MAX_CANDIDATES ? namesBeginning : [...namesBeginning, ...(await anywhere())];
  }
  // Few names contain several long words, so one query usually finds all of them.
  const found = await anywhere();
  return found.length < limit ? found : [...(await beginning()), ...found];
}

/** Returns the ids of pages with all of the words in their name or text, in no particular order. */
export function findByText(
  trx: Trx,
  accountId: number,
  words: readonly string[],
  limits: FindLimits,
): Promise<number[]> {
  return findWithTerms(trx, accountId, textTerms(words), limits);
}

/** How many candidates are enough: more than any search shows. */
const MAX_CANDIDATES = 100;

/** The highest rank that `rankOf` returns. */
const MAX_NAME_RANK = 4;

/** Ranks like `rankIn`, but puts names in which each wanted word begins a word before names that only contain the words. */
function rankOf(name: string, wanted: string, words: readonly string[]): number | undefined {
  const rank = rankIn(name, wanted);
  if (rank !== undefined && rank < 3) return rank;
  const nameWords = foldedWords(name);
  if (words.length > 1 && words.every((word) => nameWords.some((one) => one.startsWith(word)))) return 3;
  return rank === undefined ? undefined : MAX_NAME_RANK;
}

const foldedWords = (text: string) => [...wordsIn(text)].map(({ folded }) => folded);

/** Returns the ids of the pages whose names begin with the text, in the order of their names. */
async function beginningWith(trx: Trx, accountId: number, start: string, limit: number): Promise<number[]> {
  const rows = await selectBeginningWith(trx, { accountId, start, end: `${start}${LAST_CHARACTER}`, limit });
  return rows.map(({ id }) => id);
}

const selectBeginningWith = prepared<{ accountId: number; start: string; end: string; limit: number }, { id: number }>(
  (db, parameter) =>
    db
      .selectFrom('search_pages')
      .select('page_id as id')
      .where('account_id', '=', parameter('accountId'))
      .where('name', '>=', parameter('start'))
      .where('name', '<', parameter('end'))
      .orderBy('name')
      .limit(parameter('limit')),
);

async function namesOf(trx: Trx, accountId: number, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: number; name: string; urlname: string }>`
    select pages.id, pages.name, pages.urlname from ${pagesById(trx, accountId, ids)}`.execute(trx);
  return rows;
}
