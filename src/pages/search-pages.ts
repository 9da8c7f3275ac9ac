import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { parentKey } from './positions.ts';
import { pathsOf } from './subtree.ts';

/** A page that a search found. */
export interface SearchHit {
  id: number;
  /** 0 for the root. */
  parentId: number;
  name: string;
  path: string;
  isHidden: boolean;
}

export interface PageSearch {
  pages: SearchHit[];
  /** Whether more were found than these. */
  hasMore: boolean;
}

/** How many are found: the best. */
const MOST = 50;

/** Pages whose paths are looked at, where the last part of a path is all too common. */
const MOST_PATHS = 500;

/** Read at once, before other work gets its turn. */
const PART = 4000;

/** A page with something that matches, and how well it does: the smaller the rank, the better. */
interface Match {
  id: number;
  text: string;
  rank: number;
}

/**
 * Pages whose name, urlname or (for what has a slash in it) path contains the text, whatever its case and accents; the
 * best 50, those first that begin with it. Both databases know only ASCII letters for sure, so the comparing is done here,
 * on what the indexes have: the pages themselves, with their bodies, are not read.
 */
export async function searchPages(trx: Trx, accountId: number, text: string): Promise<PageSearch> {
  const wanted = fold(text.trim());
  if (wanted === '') return { pages: [], hasMore: false };
  const hits = wanted.includes('/')
    ? await searchPaths(trx, accountId, wanted)
    : await searchNames(trx, accountId, wanted);
  return { pages: hits.slice(0, MOST), hasMore: hits.length > MOST };
}

async function searchNames(trx: Trx, accountId: number, wanted: string): Promise<SearchHit[]> {
  const named = await bestOf(allNames(trx, accountId), (name) => rankIn(fold(name), wanted), MOST + 1);
  const hits = await show(trx, accountId, named);
  if (hits.length > MOST) return hits;
  const found = new Set(named.map(({ id }) => id));
  const others = await bestOf(allUrlnames(trx, accountId), (urlname) => rankIn(urlname, wanted), MOST * 2 + 1);
  const more = others.filter(({ id }) => !found.has(id));
  return [...hits, ...(await show(trx, accountId, more))];
}

/** The last part of the path that was typed finds the pages, and the rest is looked for above them. */
async function searchPaths(trx: Trx, accountId: number, wanted: string): Promise<SearchHit[]> {
  const segment = wanted.split('/').findLast((part) => part !== '') ?? '';
  const found = await bestOf(allUrlnames(trx, accountId), (urlname) => rankIn(urlname, segment), MOST_PATHS);
  const hits = await show(trx, accountId, found);
  return hits.filter(({ path }) => `${path}/`.includes(wanted));
}

/** Without accents and case, as far as that can be. */
function fold(text: string): string {
  // Most names are ASCII, and need no more.
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** All of it, its beginning, the beginning of a word, anywhere; undefined for nowhere. */
function rankIn(text: string, wanted: string): number | undefined {
  const at = text.indexOf(wanted);
  if (at === -1) return undefined;
  if (at === 0) return text.length === wanted.length ? 0 : 1;
  return /[\p{L}\p{N}]/u.test(text[at - 1]!) ? 3 : 2;
}

async function bestOf(
  pages: AsyncIterable<{ id: number; text: string }>,
  rankOf: (text: string) => number | undefined,
  limit: number,
): Promise<Match[]> {
  const best = (matches: readonly Match[]) =>
    matches
      .toSorted((a, b) => a.rank - b.rank || a.text.length - b.text.length || (a.text < b.text ? -1 : 1))
      .slice(0, limit);
  let found: Match[] = [];
  for await (const { id, text } of pages) {
    const rank = rankOf(text);
    if (rank === undefined) continue;
    found.push({ id, text, rank });
    if (found.length >= limit * 20) found = best(found);
  }
  return best(found);
}

async function* allNames(trx: Trx, accountId: number): AsyncGenerator<{ id: number; text: string }> {
  for (let after = ''; ; ) {
    const part = await trx
      .selectFrom('pages')
      .select(['id', 'name as text'])
      .where('account_id', '=', accountId)
      .where('name', '>', after)
      .orderBy('name')
      .limit(PART)
      .execute();
    yield* part;
    if (part.length < PART) return;
    after = part.at(-1)!.text;
    await setImmediate();
  }
}

async function* allUrlnames(trx: Trx, accountId: number): AsyncGenerator<{ id: number; text: string }> {
  for (let [parent, after] = [0, '']; ; ) {
    const part = await trx
      .selectFrom('pages')
      .select(['id', parentKey.as('parent'), 'urlname as text'])
      .where('account_id', '=', accountId)
      // The first of the two is what the index can begin at.
      .where(parentKey, '>=', parent)
      .where(sql<boolean>`(${parentKey} > ${parent} or urlname > ${after})`)
      .orderBy(parentKey)
      .orderBy('urlname')
      .limit(PART)
      .execute();
    yield* part;
    if (part.length < PART) return;
    [parent, after] = [part.at(-1)!.parent, part.at(-1)!.text];
    await setImmediate();
  }
}

/** What is shown of the pages that were found, in their order. */
async function show(trx: Trx, accountId: number, found: readonly Match[]): Promise<SearchHit[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const paths = await pathsOf(trx, accountId, ids);
  const rows = await trx
    .selectFrom('pages')
    .select(['id', parentKey.as('parentId'), 'name', 'is_hidden as isHidden'])
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute();
  const pages = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const { parentId, name, isHidden } = pages.get(id)!;
    return { id, parentId, name, path: paths.get(id)!, isHidden: isHidden === 1 };
  });
}
