import { LRUCache } from 'lru-cache';
import type { Content } from '../content.ts';
import type { PageList } from './page-list.ts';
import type { PageSelection } from './page-selection.ts';
import type { Spool } from './spool.ts';

/** A finished list, with the data that the next list can reuse. */
export interface CacheEntry {
  readonly version: number;
  /** The name of the list's selection. */
  readonly name: string;
  readonly content: Content;
  /** The number of bytes of the list that are in memory. */
  readonly bytes: number;
  readonly list?: PageList | undefined;
  readonly spool?: Spool | undefined;
}

/** A list that a request asks for. */
export interface WantedList {
  readonly accountId: number;
  readonly selection: PageSelection;
  /** The name of the selection. */
  readonly name: string;
  /** The list's key in the cache: the account's id for the whole list, which most clients request. */
  readonly key: number | string;
}

/**
 * Caches finished lists in up to `cacheBytes` of memory. An account has one whole list but very many selections. Selections
 * have an additional quarter of that, so that they do not evict whole lists. Of each account's selections on disk, only one
 * is cached.
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
    // The minimum leaves room for lists on disk, which take one file each and hardly any memory.
    maxSize: Math.max(Math.floor(bytes), 1024 * 1024),
    // A list may be held in three forms: plain, gzip and brotli.
    sizeCalculation: ({ bytes, spool }) => (spool ? 64 * 1024 : 1000 + Math.ceil(bytes * 1.5)),
    dispose: ({ spool }) => spool?.release(),
  });
}
