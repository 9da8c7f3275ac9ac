import { LRUCache } from 'lru-cache';

/** A finished value, with the content version it was made from. */
export interface CacheEntry<T extends object | string> {
  readonly version: number;
  readonly value: T;
  /** The size in bytes, including compressed forms. 0 if the value must not be cached. */
  readonly size: number;
}

/**
 * Caches responses made from an account's pages, within a memory budget. The version is read from the database with every
 * request and tells fresh entries from stale ones: nothing has to be invalidated, and all processes agree.
 */
export class VersionCache<T extends object | string> {
  readonly #entries: LRUCache<string, CacheEntry<T>>;
  readonly #making = new Map<string, Promise<CacheEntry<T>>>();

  constructor(bytes: number) {
    // With a budget that is too small, nothing is cached but everything is still served.
    this.#entries = new LRUCache({ maxSize: Math.max(bytes, 1), sizeCalculation: ({ size }) => size });
  }

  /** Returns the entry if it is of this version or a later one. */
  get(key: string, version: number): T | undefined {
    const found = this.#entries.get(key);
    return found !== undefined && found.version >= version ? found.value : undefined;
  }

  /**
   * Builds an entry once for all concurrent requests. It builds again if the first build started before the version was
   * raised.
   */
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

/** Returns the most bytes that a response may take: the body, its smaller gzip and brotli forms, and the headers. */
export function sizeOf(bytes: Buffer): number {
  return 4000 + bytes.length * 2;
}
