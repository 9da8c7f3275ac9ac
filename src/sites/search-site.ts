import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { findByName, findByText } from '../pages/find-by-words.ts';
import { pagesById } from '../pages/pages-by-id.ts';
import { excerptOf } from '../pages/search-excerpt.ts';
import { wantedText, wantedWords } from '../pages/search-words.ts';
import { pathsOf } from '../pages/subtree.ts';
import { visibleText } from '../pages/visible-text.ts';
import { completeDescriptions, listedDescription } from './description.ts';

/** A page that a visitor's search found. */
interface SiteHit {
  id: number;
  name: string;
  /** The URL path from the root, also for the home page. */
  path: string;
  /** The text around the first matching word; undefined if the words are elsewhere, or the text is too long to be read. */
  excerpt: string | undefined;
  description: string | null;
}

/** A found page with its body in place of an excerpt; undefined if the body is not read. */
type FoundHit = Omit<SiteHit, 'excerpt'> & { body: string | undefined };

/** The results of a search. */
export interface SiteSearch<Hit = SiteHit> {
  hits: Hit[];
  /** True if more pages were found than are listed. */
  hasMore: boolean;
}

/** How many of the best pages are listed. */
const MAX_HITS = 20;

/** How many pages the index returns at most, for names and for texts. */
const MAX_PAGES_EXAMINED = 200;

/** How many of the found pages are looked up at once, until enough of them are visible. */
const BATCH_SIZE = 40;

/** How many bytes of bodies are read for excerpts, in all and of one body: searching all of them takes up to 40 ms. */
const MAX_BODY_BYTES = 400_000;
const MAX_BYTES_OF_BODY = 100_000;

/**
 * Finds the visible pages that best match all words of the text, in their names or on the page. As in the app's search,
 * names come first. Only reads the index of words (the caller calls `refreshSearch` first), never all pages, because
 * anyone may search.
 */
export async function searchSite(trx: Trx, accountId: number, text: string): Promise<SiteSearch<FoundHit>> {
  const words = wantedWords(text);
  if (words.length === 0) return { hits: [], hasMore: false };
  const named = await findByName(trx, accountId, wantedText(text), MAX_PAGES_EXAMINED);
  const inText = await findByText(trx, accountId, words, { limit: MAX_PAGES_EXAMINED });
  const found = await firstVisible(trx, accountId, [...new Set([...named, ...inText])]);
  const hits = await withDetails(trx, accountId, found.slice(0, MAX_HITS));
  return { hits, hasMore: found.length > MAX_HITS };
}

/** Returns the first visible pages with their paths: one more than is listed, if there are as many. */
async function firstVisible(trx: Trx, accountId: number, ids: readonly number[]) {
  const found: Array<{ id: number; path: string }> = [];
  for (let at = 0; at < ids.length && found.length <= MAX_HITS; at += BATCH_SIZE) {
    const part = ids.slice(at, at + BATCH_SIZE);
    const paths = await pathsOf(trx, accountId, part, { onlyVisible: true });
    found.push(...part.flatMap((id) => (paths.has(id) ? [{ id, path: paths.get(id)! }] : [])));
  }
  return found.slice(0, MAX_HITS + 1);
}

async function withDetails(
  trx: Trx,
  accountId: number,
  found: ReadonlyArray<{ id: number; path: string }>,
): Promise<FoundHit[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const { description: listed, hasLong } = listedDescription;
  const { rows } = await sql<{ id: number; name: string; description: string | null; hasLong: 0 | 1; bytes: number }>`
    select pages.id, pages.name, ${listed} as description, ${hasLong} as "hasLong", octet_length(pages.body) as bytes
    from ${pagesById(trx, accountId, ids)}`.execute(trx);
  const complete = await completeDescriptions(trx, accountId, rows);
  const details = new Map(complete.map((row) => [row.id, row]));
  const readIds: number[] = [];
  let bytes = 0;
  for (const id of ids) {
    const own = details.get(id)!.bytes;
    if (own > MAX_BYTES_OF_BODY || bytes + own > MAX_BODY_BYTES) continue;
    bytes += own;
    readIds.push(id);
  }
  const { rows: texts } = await sql<{ id: number; body: string }>`
    select pages.id, pages.body from ${pagesById(trx, accountId, readIds)}`.execute(trx);
  const bodies = new Map(texts.map(({ id, body }) => [id, body]));
  return found.map(({ id, path }) => {
    const { name, description } = details.get(id)!;
    return { id, name, path, description, body: bodies.get(id) };
  });
}

/** Returns the pages with excerpts of their bodies around the searched words. Other work gets its turn in between. */
export async function withExcerpts(hits: readonly FoundHit[], text: string): Promise<SiteHit[]> {
  const words = wantedWords(text);
  const done: SiteHit[] = [];
  for (const { body, ...hit } of hits) {
    const excerpt = body === undefined ? undefined : excerptOf(visibleText(body), words);
    done.push({ ...hit, excerpt: excerpt && excerpt.before + excerpt.match + excerpt.after });
    await setImmediate();
  }
  return done;
}
