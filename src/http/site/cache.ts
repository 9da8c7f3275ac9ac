import { LRUCache } from 'lru-cache';

/** Something finished, and the content version it was made from. */
export interface CacheEntry<T extends object | string> {
  readonly version: number;
  readonly value: T;
  /** In bytes, with every form it may come to be held in; 0 for what is not kept. */
  readonly size: number;
}

/**
 * Keeps what was made of an account's pages, within a budget of memory. The version, which comes from the database with
 * every request, tells what is kept from what is stale: nothing is ever purged, and all processes agree.
 */
export class VersionCache<T extends object | string> {
  readonly #entries: LRUCache<string, CacheEntry<T>>;
  readonly #making = new Map<string, Promise<CacheEntry<T>>>();

  constructor(bytes: number) {
    // Too small a budget keeps nothing, but everything can be made all the same.
    this.#entries = new LRUCache({ maxSize: Math.max(bytes, 1), sizeCalculation: ({ size }) => size });
  }

  /** What was made of this version, or of a later one. */
  get(key: string, version: number): T | undefined {
    const found = this.#entries.get(key);
    return found !== undefined && found.version >= version ? found.value : undefined;
  }

  /** Makes it, once for all who ask meanwhile; where that had begun before the version came to be, once more. */
  async make(key: string, version: number, build: () => Promise<CacheEntry<T>>): Promise<T> {
    for (;;) {
      let making = this.#making.get(key);
      if (!making) {
        making = build().finally(() => this.#making.delete(key));
        this.#making.set(key, making);
      }
      const made = await making;
      if (made.version < version) continue;
      const current = this.#entries.peek(key);
      if (made.size > 0 && (!current || current.version < made.version)) this.#entries.set(key, made);
      return made.value;
    }
  }
}

/** What a content takes at most: itself, gzip and brotli, which are smaller, and their headers. In bytes. */
export function sizeOf(bytes: Buffer): number {
  return 4000 + bytes.length * 2;
}
