/** On whose behalf something is done: an account, or a network that strangers come from. */
export type FairnessKey = number | string;

/**
 * Lets so much work at a time begin; whoever waits longest is next. Of several accounts or networks each has its turn: one
 * that asks for a thousand things at once holds up itself and nobody else.
 */
export class FairSemaphore {
  #available: number;
  readonly #batchSize: number;
  /** What waits, by whose it is; those whose turn it is come first. */
  readonly #waiting = new Map<FairnessKey, Array<() => void>>();
  /** Who is done, and waits for others to be. */
  #done: Array<() => void> = [];

  /**
   * While others wait, those who are done go on `together`, so many at a time: for work after which what each of them does
   * next costs less where several do it.
   */
  constructor(atOnce: number, { batchSize = 1 } = {}) {
    this.#available = atOnce;
    this.#batchSize = batchSize;
  }

  /**
   * Waits for its turn, then calls `work` and returns its result or throws its error. If the signal aborts before the turn
   * comes, it throws the signal's reason and never calls `work`.
   */
  async run<T>(work: () => Promise<T>, key: FairnessKey = '', signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#available > 0) this.#available -= 1;
    else await this.#acquire(key, signal);
    try {
      return await work();
    } finally {
      // Whoever is next has this turn; it never becomes free in between.
      const next = this.#dequeue(key);
      if (next) next();
      else this.#available += 1;
      await this.#releasedWithBatch();
    }
  }

  /** Nobody waits where there is nobody to wait for: whoever is queued has somebody before them who will be done. */
  #releasedWithBatch(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#done.push(resolve);
    this.#release();
    return promise;
  }

  #release(): void {
    if (this.#done.length < this.#batchSize && this.#waiting.size > 0) return;
    const all = this.#done;
    this.#done = [];
    for (const goOn of all) goOn();
  }

  /** Resolves when the turn has come. */
  #acquire(key: FairnessKey, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#leave(key, start);
        reject(signal!.reason);
      };
      signal?.addEventListener('abort', leave);
      this.#enqueue(key, start);
    });
  }

  #enqueue(key: FairnessKey, start: () => void): void {
    const own = this.#waiting.get(key);
    if (own) own.push(start);
    else this.#waiting.set(key, [start]);
  }

  #leave(key: FairnessKey, start: () => void): void {
    const own = this.#waiting.get(key)!;
    own.splice(own.indexOf(start), 1);
    if (own.length > 0) return;
    this.#waiting.delete(key);
    // Tasks that are done may have waited for this one.
    this.#release();
  }

  /** Removes the next task from the queue: one of `last`, which has just had a turn, only where no other waits. */
  #dequeue(last: FairnessKey): (() => void) | undefined {
    const [first, second] = this.#waiting.keys();
    const key = first === last && second !== undefined ? second : first;
    if (key === undefined) return undefined;
    const own = this.#waiting.get(key)!;
    const next = own.shift();
    // To the end, behind everybody else.
    this.#waiting.delete(key);
    if (own.length > 0) this.#waiting.set(key, own);
    return next;
  }
}

/** The same for each of many by itself: what one of them has to do keeps no other waiting. */
export class KeyedSemaphore<K> {
  readonly #atOnce: number;
  readonly #semaphores = new Map<K, { semaphore: FairSemaphore; users: number }>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async run<T>(key: K, work: () => Promise<T>): Promise<T> {
    const own = this.#semaphores.get(key) ?? { semaphore: new FairSemaphore(this.#atOnce), users: 0 };
    this.#semaphores.set(key, own);
    own.users += 1;
    try {
      return await own.semaphore.run(work);
    } finally {
      own.users -= 1;
      if (own.users === 0) this.#semaphores.delete(key);
    }
  }
}
