import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { lookupJoin } from '../db/lookup-join.ts';
import type { PageStatus } from '../db/schema.ts';
import { findByName, findByText, findByUrlname } from './find-by-words.ts';
import { scanNames, scanUrlnames } from './scan-names.ts';
import { type Excerpt, excerptOf } from './search-excerpt.ts';
import { isSearchComplete } from './search-index.ts';
import { wantedText, wantedWords } from './search-words.ts';
import { pathsCte } from './subtree.ts';
import { MAX_BODY_CHARACTERS, visibleText } from './visible-text.ts';

/** A page that a search found. */
interface SearchHit {
  id: number;
  /** 0 for the root. */
  parentId: number;
  name: string;
  path: string;
  isHidden: boolean;
  isPublished: boolean;
  /** The matching place in the text, if the page was found by its text. */
  excerpt?: Excerpt;
}

interface PageSearch {
  pages: SearchHit[];
  /** True if more pages were found than are returned. */
  hasMore: boolean;
}

/** How many of the best hits are returned. */
const MAX_HITS = 50;

/** How much of bodies is read for all excerpts together. In 50 long pages, only matches near the beginning are shown. */
const MAX_EXCERPT_CHARACTERS = MAX_BODY_CHARACTERS;

/** How many pages are examined if a word or the last part of a path is very common. */
const MAX_PAGES_EXAMINED = 500;

/**
 * Finds the 50 pages that best match all words of the text, in their names or on the page. A word of the search may be the
 * beginning of a word; case and accents do not matter. Names come before texts, and names that begin with the text come first.
 * Parts of words are found in names and urlnames only. A text with a slash is looked for in paths.
 *
 * Reads the index of words (the caller calls `refreshSearch` first), and the bodies of which an excerpt is shown. While
 * an account's index is incomplete, finds names only. `isIndexed` is the result of `refreshSearch`; undefined to look it up.
 */
export async function searchPages(trx: Trx, accountId: number, text: string, isIndexed?: boolean): Promise<PageSearch> {
  const wanted = wantedText(text);
  if (wanted === '') return { pages: [], hasMore: false };
  const isComplete = isIndexed ?? (await isSearchComplete(trx, accountId));
  if (wanted.includes('/')) {
    const hits = await describeHits(trx, accountId, await idsByPath(trx, accountId, wanted, isComplete));
    return limitHits(hits.filter(({ path }) => `${path}/`.includes(wanted)));
  }
  const named = await idsByName(trx, accountId, wanted, isComplete);
  const hits = await describeHits(trx, accountId, named.slice(0, MAX_HITS + 1));
  if (hits.length > MAX_HITS) return limitHits(hits);
  const words = wantedWords(text);
  const inText = await findByText(trx, accountId, words, { limit: MAX_HITS + 1 - hits.length, except: named });
  return limitHits([...hits, ...(await describeHits(trx, accountId, inText, words))]);
}

const limitHits = (hits: SearchHit[]): PageSearch => ({
  pages: hits.slice(0, MAX_HITS),
  hasMore: hits.length > MAX_HITS,
});

async function idsByName(trx: Trx, accountId: number, wanted: string, isComplete: boolean): Promise<number[]> {
  if (isComplete) return findByName(trx, accountId, wanted, MAX_PAGES_EXAMINED);
  return (await scanNames(trx, accountId, wanted, MAX_HITS + 1)).map(({ id }) => id);
}

/** Finds pages by the last part of the path in the search. The caller compares the rest with the pages above them. */
async function idsByPath(trx: Trx, accountId: number, wanted: string, isComplete: boolean): Promise<number[]> {
  const segment = wanted.split('/').findLast((part) => part !== '') ?? '';
  if (isComplete) return findByUrlname(trx, accountId, segment, MAX_PAGES_EXAMINED);
  return (await scanUrlnames(trx, accountId, segment, MAX_PAGES_EXAMINED)).map(({ id }) => id);
}

/** Returns the hits for the found pages, in their order. With words, each hit has an excerpt around the first match. */
async function describeHits(
  trx: Trx,
  accountId: number,
  found: readonly number[],
  words: readonly string[] = [],
): Promise<SearchHit[]> {
  if (found.length === 0) return [];
  const characters = words.length > 0 ? Math.floor(MAX_EXCERPT_CHARACTERS / found.length) : 0;
  // One statement: with PostgreSQL on another machine, each round trip takes longer than the work.
  const { rows } = await sql<FoundRow>`
    with recursive ${pathsCte(trx, sql.val(accountId), sql.val(JSON.stringify(found)))}
    select pages.id, coalesce(pages.parent_id, 0) as "parentId", pages.name, partial_paths.path,
      pages.is_hidden as "isHidden", pages.status, substr(pages.body, 1, ${characters}) as body
    from partial_paths ${lookupJoin(trx, 'pages', sql`pages.account_id = ${accountId} and pages.id = partial_paths.id`)}
    where partial_paths.parent_id is null`.execute(trx);
  const pages = new Map(rows.map((row) => [row.id, row]));
  // The index may still have pages that were deleted.
  return found.flatMap((id): SearchHit[] => {
    const page = pages.get(id);
    if (!page) return [];
    const { parentId, name, path, isHidden, status, body } = page;
    const excerpt = words.length > 0 ? excerptOf(visibleText(body), words) : undefined;
    const flags = { isHidden: isHidden === 1, isPublished: status === 'published' };
    return [{ id, parentId, name, path, ...flags, ...(excerpt && { excerpt }) }];
  });
}

interface FoundRow {
  id: number;
  parentId: number;
  name: string;
  path: string;
  isHidden: 0 | 1;
  status: PageStatus;
  /** The beginning of the body. */
  body: string;
}
