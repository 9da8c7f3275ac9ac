import { sql } from 'kysely';
import { dialectOf, type Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { prepared } from '../db/prepared.ts';
import type { Term } from './search-words.ts';

/** The character that sorts after every other one. */
export const LAST_CHARACTER = '\u{10ffff}';

/**
 * How many words SQLite looks for in place of prefixes, shared by all prefixes of a search. A word that equals the prefix
 * comes first. A real prefix search would take time in proportion to all occurrences, of which one account may have a
 * hundred million.
 */
const MAX_WORDS = 1000;

/**
 * How many pages PostgreSQL examines first, page by page. For words that most pages have, that is faster than its index, which
 * collects all occurrences before it returns the first one.
 */
const FIRST_PAGES = 200;

/**
 * After the first pages, PostgreSQL reads up to this many times `FIRST_PAGES` more, page by page, if the matches so far
 * suggest that these pages have enough. In the index, two common prefixes take twice as long.
 */
const NEXT_PAGES_FACTOR = 6;

/**
 * The least number of pages that PostgreSQL takes from its index, in the order of the table. The lowest ids are returned.
 */
const MIN_INDEXED_PAGES = 500;

/**
 * How many prefixes, the rarest ones, PostgreSQL looks up in its index. It looks for the others in the pages found, unless
 * these are too many. For each prefix, the index would collect all occurrences before it combines them.
 */
const MAX_INDEXED_PREFIXES = 4;
const MAX_CANDIDATES = 500;

/** How many pages PostgreSQL reads to count which prefixes are the rarest. */
const COUNTED_PAGES = 50;

/** Limits a search to a number of pages, and leaves some pages out. */
export interface FindLimits {
  readonly limit: number;
  /** The ids of pages that are left out. */
  readonly except?: readonly number[];
}

/** Returns the ids of pages with all of the terms, at most `limit`. */
export async function findWithTerms(
  trx: Trx,
  accountId: number,
  terms: readonly Term[],
  { limit, except = [] }: FindLimits,
): Promise<number[]> {
  if (terms.length === 0) return [];
  const find = dialectOf(trx) === 'sqlite' ? findOnSqlite : findOnPostgres;
  const rows = await find(trx, accountId, terms, { limit, except });
  return rows.map(({ id }) => id);
}

// Terms consist of letters and digits, so neither database's query syntax needs escaping.

async function findOnSqlite(
  trx: Trx,
  accountId: number,
  terms: readonly Term[],
  { limit, except }: Required<FindLimits>,
): Promise<{ id: number }[]> {
  const conditions: string[] = [];
  const maxWords = Math.ceil(MAX_WORDS / terms.filter(({ isPrefix }) => isPrefix).length);
  for (const { word, isPrefix } of terms) {
    const words = isPrefix ? await wordsBeginning(trx, accountId, word, maxWords) : [word];
    if (words.length === 0) return [];
    conditions.push(`(${words.map((word) => `"${accountId}${word}"`).join(' OR ')})`);
  }
  const { rows } = await sql<{ id: number }>`
    select rowid as id from search_words
    where search_words match ${conditions.join(' AND ')} and rowid not in (select value from json_each(${JSON.stringify(except)}))
    limit ${limit}`.execute(trx);
  return rows;
}

async function findOnPostgres(
  trx: Trx,
  accountId: number,
  terms: readonly Term[],
  { limit, except }: Required<FindLimits>,
): Promise<{ id: number }[]> {
  await avoidScans(trx);
  const queryOf = (some: readonly Term[]) =>
    some.map(({ word, isPrefix }) => `'${accountId}${word}'${isPrefix ? ':*' : ''}`).join(' & ');
  const input = { accountId, query: queryOf(terms), except };
  const prefixes = terms.filter(({ isPrefix }) => isPrefix);
  if (prefixes.length <= MAX_INDEXED_PREFIXES) return selectWithTerms(trx, { ...input, limit, asksIndex: true });
  const withoutIndex = await selectWithTerms(trx, { ...input, limit, asksIndex: false });
  if (withoutIndex.length >= limit) return withoutIndex;
  const queries = prefixes.map((term) => queryOf([term]));
  const rarestFirst = await selectRarestFirst(trx, { accountId, queries });
  const exact = terms.filter(({ isPrefix }) => !isPrefix).map((term) => queryOf([term]));
  const indexQuery = [...exact, ...rarestFirst.slice(0, MAX_INDEXED_PREFIXES).map(({ query }) => query)].join(' & ');
  const [candidates] = await selectAmongCandidates(trx, { ...input, indexQuery });
  if (candidates!.count < MAX_CANDIDATES) return candidates!.ids.slice(0, limit).map((id) => ({ id }));
  return selectWithTerms(trx, { ...input, limit, asksIndex: true });
}

/** Sorts the queries by how many of the account's first pages they match, the rarest first; ties by length, the longest first. */
const selectRarestFirst = prepared<{ accountId: number; queries: readonly string[] }, { query: string }>(
  (db, parameter) => ({
    compile: () =>
      sql<{ query: string }>`
        with first_pages as materialized (
          select words from search_pages where account_id = cast(${parameter('accountId')} as bigint)
          order by account_id, page_id limit ${limitInIndexOrder(COUNTED_PAGES)}
        )
        select query from unnest(cast(${parameter('queries')} as text[])) as query
        order by (select count(*) from first_pages where words @@ cast(query as tsquery)), length(query) desc`.compile(
        db,
      ),
  }),
);

/** Takes candidates from the index by some of the terms, and returns the ids of those that have all terms. */
const selectAmongCandidates = prepared<
  { accountId: number; query: string; indexQuery: string; except: readonly number[] },
  { count: number; ids: number[] }
>((db, parameter) => ({
  compile: () =>
    sql<{ count: number; ids: number[] }>`
      with candidates as materialized (
        select page_id, words from search_pages
        where words @@ cast(${parameter('indexQuery')} as tsquery) and account_id + 0 = cast(${parameter('accountId')} as bigint)
          and not page_id = any(cast(${parameter('except')} as bigint[]))
        limit ${sql.lit(MAX_CANDIDATES)}
      )
      select count(*) as count,
        coalesce(json_agg(page_id order by page_id) filter (where words @@ cast(${parameter('query')} as tsquery)), '[]') as ids
      from candidates`.compile(db),
}));

/**
 * Returns the ids of pages with all terms, in up to three steps. Each step runs only if the earlier ones found too few pages.
 *
 * - `in_first_pages` examines the account's first pages one by one.
 * - `in_next_pages` examines the next pages, if at the rate of the first ones the limit would be reached there.
 * - `in_index` searches the index of words, if `asksIndex` is true.
 */
const selectWithTerms = prepared<
  { accountId: number; query: string; limit: number; except: readonly number[]; asksIndex: boolean },
  { id: number }
>((db, parameter) => {
  const [account, limit] = [sql`cast(${parameter('accountId')} as bigint)`, sql`cast(${parameter('limit')} as bigint)`];
  const isWanted = sql`words @@ cast(${parameter('query')} as tsquery) and not page_id = any(cast(${parameter('except')} as bigint[]))`;
  const inOrder = sql`select page_id, words from search_pages where account_id = ${account} order by account_id, page_id`;
  // `account_id + 0` leaves `in_index` only the index of words. With the other one, it would read all pages of the account.
  return {
    compile: () =>
      sql<{ id: number }>`
        with in_first_pages as materialized (
          select page_id as id from (${inOrder} limit ${limitInIndexOrder(FIRST_PAGES)}) as examined
          where ${isWanted} limit ${limit}
        ), in_next_pages as materialized (
          select page_id as id from (
            ${inOrder} offset ${sql.lit(FIRST_PAGES)}
            limit (select case when count(*) < ${limit} and count(*) * ${sql.lit(NEXT_PAGES_FACTOR)} >= ${limit}
              then ${sql.lit(FIRST_PAGES * NEXT_PAGES_FACTOR)} else 0 end from in_first_pages)
          ) as examined
          where ${isWanted} limit ${limit}
        ), in_index as (
          select page_id as id from search_pages
          where cast(${parameter('asksIndex')} as boolean)
            and (select count(*) from in_first_pages) + (select count(*) from in_next_pages) < ${limit}
            and ${isWanted} and account_id + 0 = ${account}
          limit greatest(${limit}, ${sql.lit(MIN_INDEXED_PAGES)})
        )
        select id from in_first_pages union select id from in_next_pages union select id from in_index
        order by id limit ${limit}`.compile(db),
  };
});

const avoiding = new WeakSet<Trx>();

/** Forbids sequential scans: for words that it believes common, PostgreSQL would scan the pages of all accounts. */
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
