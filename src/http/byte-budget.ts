import type { FairnessKey } from '../fair-semaphore.ts';

interface Waiter {
  readonly bytes: number;
  readonly start: () => void;
}

/**
 * Shares out so many bytes. A request for more than there is waits until others give theirs back: accounts take turns, and
 * none has more than half of it. What is larger than that is let through where nothing else is taken.
 */
export class ByteBudget {
  readonly #max: number;
  #taken = 0;
  readonly #takenBy = new Map<FairnessKey, number>();
  /** By account; the account whose turn it is comes first. */
  readonly #waiting = new Map<FairnessKey, Waiter[]>();

  constructor(maxBytes: number) {
    this.#max = maxBytes;
  }

  /** Resolves when the bytes are taken; throws the signal's reason where it aborts before. */
  acquire(key: FairnessKey, bytes: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      this.#leave(key, waiter);
      reject(signal.reason);
    };
    const start = () => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const waiter = { bytes, start };
    const own = this.#waiting.get(key);
    if (own) own.push(waiter);
    else this.#waiting.set(key, [waiter]);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave);
    this.#admit();
    return promise;
  }

  release(key: FairnessKey, bytes: number): void {
    this.#count(key, -bytes);
    this.#admit();
  }

  /** An account comes to the end of the queue again with each request that is let through. */
  #admit(): void {
    for (const [key, own] of this.#waiting) {
      const { bytes, start } = own[0]!;
      const taken = this.#takenBy.get(key) ?? 0;
      if (taken > 0 && taken + bytes > this.#max / 2) continue;
      // Smaller requests of others must not overtake it for ever.
      if (this.#taken > 0 && this.#taken + bytes > this.#max) return;
      this.#count(key, bytes);
      own.shift();
      this.#waiting.delete(key);
      if (own.length > 0) this.#waiting.set(key, own);
      start();
    }
  }

  #leave(key: FairnessKey, waiter: Waiter): void {
    const own = this.#waiting.get(key)!;
    own.splice(own.indexOf(waiter), 1);
    if (own.length === 0) this.#waiting.delete(key);
    this.#admit();
  }

  #count(key: FairnessKey, bytes: number): void {
    this.#taken += bytes;
    const own = (this.#takenBy.get(key) ?? 0) + bytes;
    if (own > 0) this.#takenBy.set(key, own);
    else this.#takenBy.delete(key);
  }
}
