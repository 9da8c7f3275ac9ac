/** The key by which tasks are queued: an account, or the network of an unknown client. */
export type FairnessKey = number | string;

interface Waiter {
  readonly weight: number;
  readonly start: () => void;
}

interface SemaphoreOptions {
  /** How much of the capacity one key may hold. A single task may be heavier than that. */
  readonly maxPerKey?: number;
  /**
   * While others wait, finished tasks return in batches of this size, for work whose continuations cost less if several run
   * together.
   */
  readonly batchSize?: number;
  /** The name under which `queueUse` reports the semaphore; undefined to leave it out. */
  readonly name?: string;
}

/** The semaphores with names. A later one replaces an earlier one of the same name, of which a process has only one. */
const named = new Map<string, FairSemaphore>();

/** Returns the number of waiting tasks and the used part of the capacity, by the names of the semaphores. */
export function queueUse(): ReadonlyMap<string, { waiting: number; used: number }> {
  return new Map([...named].map(([name, { waiting, used }]) => [name, { waiting, used }]));
}

/**
 * Shares a capacity fairly: a number of concurrent tasks, or of bytes. Tasks that do not fit wait. Keys take turns, so that
 * one with a thousand tasks delays only itself. A task that is heavier than the capacity starts when nothing else is held.
 */
export class FairSemaphore {
  readonly #capacity: number;
  readonly #maxPerKey: number;
  readonly #batchSize: number;
  #held = 0;
  readonly #heldBy = new Map<FairnessKey, number>();
  /** Waiting tasks by key, with the key whose turn is next first. */
  readonly #waiting = new Map<FairnessKey, Waiter[]>();
  /** Finished tasks that wait to return together with others. */
  #done: Array<() => void> = [];

  constructor(capacity: number, { maxPerKey = Number.POSITIVE_INFINITY, batchSize = 1, name }: SemaphoreOptions = {}) {
    this.#capacity = capacity;
    this.#maxPerKey = maxPerKey;
    this.#batchSize = batchSize;
    if (name !== undefined) named.set(name, this);
  }

  /** The used part of the capacity: 1 is all of it. One heavy task may use more. */
  get used(): number {
    return this.#held / this.#capacity;
  }

  get waiting(): number {
    return this.#waiting.values().reduce((sum, { length }) => sum + length, 0);
  }

  /**
   * Waits for its turn, then calls `work` and returns its result or throws its error. If the signal aborts while waiting,
   * throws the signal's reason and never calls `work`.
   */
  async run<T>(work: () => Promise<T>, key: FairnessKey = '', signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (!this.tryAcquire(key, 1)) await this.#wait(key, 1, signal);
    try {
      return await work();
    } finally {
      this.release(key, 1);
      await this.#releasedWithBatch();
    }
  }

  /** Takes capacity for the key if no task is waiting. Returns true if it did. */
  tryAcquire(key: FairnessKey, weight: number): boolean {
    if (this.#waiting.size > 0 || !this.#fits(key, weight)) return false;
    this.#count(key, weight);
    return true;
  }

  /** Waits until the key can take the capacity. Throws the signal's reason if it aborts before. */
  async acquire(key: FairnessKey, weight: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await this.#wait(key, weight, signal);
  }

  /** Returns capacity that `acquire` or `tryAcquire` has taken. */
  release(key: FairnessKey, weight: number): void {
    this.#count(key, -weight);
    this.#moveToEnd(key);
    this.#admit();
  }

  #fits(key: FairnessKey, weight: number): boolean {
    return (this.#held === 0 || this.#held + weight <= this.#capacity) && this.#isAllowed(key, weight);
  }

  #isAllowed(key: FairnessKey, weight: number): boolean {
    const held = this.#heldBy.get(key);
    return held === undefined || held + weight <= this.#maxPerKey;
  }

  #count(key: FairnessKey, weight: number): void {
    this.#held += weight;
    const own = (this.#heldBy.get(key) ?? 0) + weight;
    if (own > 0) this.#heldBy.set(key, own);
    else this.#heldBy.delete(key);
  }

  #wait(key: FairnessKey, weight: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const waiter = { weight, start };
      const leave = () => {
        this.#leave(key, waiter);
        reject(signal!.reason);
      };
      signal?.addEventListener('abort', leave);
      const own = this.#waiting.get(key);
      if (own) own.push(waiter);
      else this.#waiting.set(key, [waiter]);
      this.#admit();
    });
  }

  /** Starts the tasks that fit. A key goes to the end of the queue with each task that starts, and with each that ends. */
  #admit(): void {
    for (const [key, own] of this.#waiting) {
      const { weight, start } = own[0]!;
      if (!this.#isAllowed(key, weight)) continue;
      // Lighter tasks of other keys must not overtake this one forever.
      if (!this.#fits(key, weight)) return;
      this.#count(key, weight);
      own.shift();
      if (own.length === 0) this.#waiting.delete(key);
      else this.#moveToEnd(key);
      start();
    }
  }

  #moveToEnd(key: FairnessKey): void {
    const own = this.#waiting.get(key);
    if (!own) return;
    this.#waiting.delete(key);
    this.#waiting.set(key, own);
  }

  #leave(key: FairnessKey, waiter: Waiter): void {
    const own = this.#waiting.get(key)!;
    own.splice(own.indexOf(waiter), 1);
    if (own.length === 0) this.#waiting.delete(key);
    // Lighter tasks may have waited for this one to start, and finished tasks for it to finish.
    this.#admit();
    this.#goOn();
  }

  /** Waits for the batch. No deadlock: every queued task has a running one ahead of it. */
  #releasedWithBatch(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#done.push(resolve);
    this.#goOn();
    return promise;
  }

  #goOn(): void {
    if (this.#done.length < this.#batchSize && this.#waiting.size > 0) return;
    const all = this.#done;
    this.#done = [];
    for (const goOn of all) goOn();
  }
}
