import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { fold } from '../fold.ts';
import { parentKey } from './positions.ts';

/** How many rows are read at once before other work gets its turn. */
export const BATCH_SIZE = 4000;

/** A page with a matching text and the rank of the match. The smaller the rank, the better. */
export interface Match {
  id: number;
  text: string;
  rank: number;
}

/**
 * Finds the pages whose names or urlnames match best by reading all of them, for accounts whose index of words is not
 * complete.
 */
export async function scanNames(trx: Trx, accountId: number, wanted: string, limit: number): Promise<Match[]> {
  const named = await bestOf(allNames(trx, accountId), (name) => rankIn(fold(name), wanted), limit);
  if (named.length >= limit) return named;
  const found = new Set(named.map(({ id }) => id));
  const others = await scanUrlnames(trx, accountId, wanted, limit * 2);
  return [...named, ...others.filter(({ id }) => !found.has(id))];
}

export function scanUrlnames(trx: Trx, accountId: number, wanted: string, limit: number): Promise<Match[]> {
  return bestOf(allUrlnames(trx, accountId), (urlname) => rankIn(urlname, wanted), limit);
}

/**
 * Ranks a match: 0 for the whole text, 1 for its beginning, 2 for the beginning of a word, 3 elsewhere; undefined for none.
 */
export function rankIn(text: string, wanted: string): number | undefined {
  const at = text.indexOf(wanted);
  if (at === -1) return undefined;
  if (at === 0) return text.length === wanted.length ? 0 : 1;
  return /[\p{L}\p{N}]/u.test(text[at - 1]!) ? 3 : 2;
}

/** Returns the `limit` best of the pages to which `rankOf` gives a rank. */
export async function bestOf(
  pages: AsyncIterable<{ id: number; text: string }>,
  rankOf: (text: string) => number | undefined,
  limit: number,
): Promise<Match[]> {
  const best = (matches: readonly Match[]) => matches.toSorted(byRank).slice(0, limit);
  let found: Match[] = [];
  for await (const { id, text } of pages) {
    const rank = rankOf(text);
    if (rank === undefined) continue;
    found.push({ id, text, rank });
    if (found.length >= limit * 20) found = best(found);
  }
  return best(found);
}

/** Compares two matches: the better rank comes first, then the shorter text. */
export function byRank(a: Match, b: Match): number {
  return a.rank - b.rank || a.text.length - b.text.length || (a.text < b.text ? -1 : 1);
}

async function* allNames(trx: Trx, accountId: number): AsyncGenerator<{ id: number; text: string }> {
  for (let after = ''; ; ) {
    const part = await trx
      .selectFrom('pages')
      .select(['id', 'name as text'])
      .where('account_id', '=', accountId)
      .where('name', '>', after)
      .orderBy('name')
      .limit(BATCH_SIZE)
      .execute();
    yield* part;
    if (part.length < BATCH_SIZE) return;
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
      // The index can only start at the first of the two conditions, so they are separate.
      .where(parentKey, '>=', parent)
      .where(sql<boolean>`(${parentKey} > ${parent} or urlname > ${after})`)
      .orderBy(parentKey)
      .orderBy('urlname')
      .limit(BATCH_SIZE)
      .execute();
    yield* part;
    if (part.length < BATCH_SIZE) return;
    [parent, after] = [part.at(-1)!.parent, part.at(-1)!.text];
    await setImmediate();
  }
}
