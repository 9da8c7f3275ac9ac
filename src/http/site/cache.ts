import { LRUCache } from 'lru-cache';

/** Something finished, and the content version it was made from. */
export interface CacheEntry<T extends object | string> {
  readonly version: number;
  readonly value: T;
  /** In bytes, including compressed forms; 0 if it is not cached. */
  readonly size: number;
}

/**
 * Caches responses made from an account's pages, within a budget of memory. The version, read from the database with
 * every request, tells fresh entries from stale ones: nothing is ever purged, and all processes agree.
 */
export class VersionCache<T extends object | string> {
  readonly #entries: LRUCache<string, CacheEntry<T>>;
  readonly #making = new Map<string, Promise<CacheEntry<T>>>();

  constructor(bytes: number) {
    // With a budget that is too small nothing is cached, but everything is still served.
    this.#entries = new LRUCache({ maxSize: Math.max(bytes, 1), sizeCalculation: ({ size }) => size });
  }

  /** Returns the entry for this version, or for a later one. */
  get(key: string, version: number): T | undefined {
    const found = this.#entries.get(key);
    return found !== undefined && found.version >= version ? found.value : undefined;
  }

  /** Makes an entry once for all who ask meanwhile, and again if the first was begun before the version was raised. */
  async make(key: string, version: number, build: () => Promise<CacheEntry<T>>): Promise<T> {
    for (;;) {
      const make = () => build().finally(() => this.#making.delete(key));
      const made = await this.#making.getOrInsertComputed(key, make);
      if (made.version < version) continue;
      const current = this.#entries.peek(key);
      if (made.size > 0 && (!current || current.version < made.version)) this.#entries.set(key, made);
      return made.value;
    }
  }
}

/** Returns how many bytes a content takes at most: itself, gzip and brotli, which are smaller, and their headers. */
export function sizeOf(bytes: Buffer): number {
  return 4000 + bytes.length * 2;
}
