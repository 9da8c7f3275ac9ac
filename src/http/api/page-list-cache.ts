import { LRUCache } from 'lru-cache';
import type { Content } from '../content.ts';
import type { PageList } from './page-list.ts';
import type { PageSelection } from './page-selection.ts';
import type { Spool } from './spool.ts';

/** A finished list, with what the next one can reuse. */
export interface CacheEntry {
  readonly version: number;
  /** The name of its selection. */
  readonly name: string;
  readonly content: Content;
  /** The bytes that are in memory. */
  readonly bytes: number;
  readonly list?: PageList | undefined;
  readonly spool?: Spool | undefined;
}

/** A list that somebody has asked for. */
export interface WantedList {
  readonly accountId: number;
  readonly selection: PageSelection;
  /** The name of the selection. */
  readonly name: string;
  /** Its key in the cache: the account's id for the whole list, which most clients ask for. */
  readonly key: number | string;
}

/**
 * Holds finished lists within `cacheBytes` of memory. An account has one whole list and very many selections: these have a quarter for
 * themselves, so that they do not take the place of others' lists. Of an account's selections that are on disk, one is held.
 */
export class ListCache {
  readonly #lists: LRUCache<number | string, CacheEntry>;
  readonly #selections: LRUCache<number | string, CacheEntry>;

  constructor(cacheBytes: number) {
    this.#lists = newCache(cacheBytes);
    this.#selections = newCache(cacheBytes / 4);
  }

  get({ accountId, name, key }: WantedList): CacheEntry | undefined {
    if (name === '') return this.#lists.get(key);
    const found = this.#selections.get(key) ?? this.#selections.get(accountId);
    return found?.name === name ? found : undefined;
  }

  set({ accountId, name, key }: WantedList, entry: CacheEntry): void {
    if (name === '') this.#lists.set(key, entry);
    else if (entry.spool) this.#selections.set(accountId, entry).delete(key);
    else this.#selections.set(key, entry);
  }
}

function newCache(bytes: number): LRUCache<number | string, CacheEntry> {
  return new LRUCache({
    // Lists on disk always fit: they cost a file each and hardly any memory.
    maxSize: Math.max(Math.floor(bytes), 1024 * 1024),
    // A list may be held in three forms: plain, gzip and brotli.
    sizeCalculation: ({ bytes, spool }) => (spool ? 64 * 1024 : 1000 + Math.ceil(bytes * 1.5)),
    dispose: ({ spool }) => spool?.release(),
  });
}
