import { setImmediate } from 'node:timers/promises';
import type { Trx } from '../db/database.ts';
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

/** How many are found: the best. */
const MOST = 50;

/** Pages whose paths are looked at, where the last part of a path is all too common. */
const MOST_PATHS = 500;

/** Read at once, before other work gets its turn. */
const PART = 2000;

interface Candidate {
  id: number;
  parentId: number | null;
  name: string;
  urlname: string;
  isHidden: number;
  /** The smaller, the better. */
  rank: number;
}

/**
 * Pages whose name, urlname or (for what has a slash in it) path contains the text, whatever its case and accents; the
 * best 50, those first that begin with it. Both databases know only ASCII letters for sure, so the comparing is done here.
 */
export async function searchPages(trx: Trx, accountId: number, text: string): Promise<SearchHit[]> {
  const wanted = fold(text.trim());
  if (wanted === '') return [];
  // Of a path, the last part that was typed finds the pages, and the rest is looked for above them.
  const segment = wanted.includes('/') ? wanted.replace(/\/$/, '').replace(/^.*\//, '') : undefined;
  const limit = segment === undefined ? MOST : MOST_PATHS;
  let found: Candidate[] = [];
  for await (const page of allPages(trx, accountId)) {
    const rank = segment === undefined ? rankOf(page, wanted) : page.urlname.includes(segment) ? 0 : undefined;
    if (rank === undefined) continue;
    found.push({ ...page, rank });
    if (found.length >= limit * 20) found = best(found, limit);
  }
  found = best(found, limit);
  const ids = found.map(({ id }) => id);
  const paths = await pathsOf(trx, accountId, ids);
  return found
    .map(({ id, parentId, name, isHidden }) => ({
      id,
      parentId: parentId ?? 0,
      name,
      path: paths.get(id)!,
      isHidden: isHidden === 1,
    }))
    .filter(({ path }) => segment === undefined || `${path}/`.includes(wanted))
    .slice(0, MOST);
}

/** Without accents and case, as far as that can be. */
function fold(text: string): string {
  // Most names are ASCII, and need no more.
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function rankOf(page: Omit<Candidate, 'rank'>, wanted: string): number | undefined {
  const name = fold(page.name);
  const at = name.indexOf(wanted);
  if (at === 0) return name.length === wanted.length ? 0 : 1;
  if (at > 0) return /[\p{L}\p{N}]/u.test(name[at - 1]!) ? 3 : 2;
  const inUrlname = page.urlname.indexOf(wanted);
  return inUrlname === -1 ? undefined : inUrlname === 0 ? 4 : 5;
}

function best(found: readonly Candidate[], limit: number): Candidate[] {
  return found
    .toSorted((a, b) => a.rank - b.rank || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .slice(0, limit);
}

async function* allPages(trx: Trx, accountId: number): AsyncGenerator<Omit<Candidate, 'rank'>> {
  let after = 0;
  for (;;) {
    const part = await trx
      .selectFrom('pages')
      .select(['id', 'parent_id as parentId', 'name', 'urlname', 'is_hidden as isHidden'])
      .where('account_id', '=', accountId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PART)
      .execute();
    yield* part;
    if (part.length < PART) return;
    after = part.at(-1)!.id;
    await setImmediate();
  }
}
