/** On whose behalf something is done: an account, or a network that strangers come from. */
export type Whose = number | string;

/**
 * Lets so much work at a time begin; whoever waits longest is next. Of several accounts or networks each has its turn: one
 * that asks for a thousand things at once holds up itself and nobody else.
 */
export class Turns {
  #free: number;
  readonly #together: number;
  /** What waits, by whose it is; those whose turn it is come first. */
  readonly #waiting = new Map<Whose, Array<() => void>>();
  /** Who is done, and waits for others to be. */
  #done: Array<() => void> = [];

  /**
   * While others wait, those who are done go on `together`, so many at a time: for work after which what each of them does
   * next costs less where several do it.
   */
  constructor(atOnce: number, { together = 1 } = {}) {
    this.#free = atOnce;
    this.#together = together;
  }

  /**
   * Waits for its turn, then calls `work` and returns its result or throws its error. If the signal aborts before the turn
   * comes, it throws the signal's reason and never calls `work`.
   */
  async take<T>(work: () => Promise<T>, whose: Whose = '', signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(whose, signal);
    try {
      return await work();
    } finally {
      // Whoever is next has this turn; it never becomes free in between.
      const next = this.#dequeue(whose);
      if (next) next();
      else this.#free += 1;
      await this.#handedOut();
    }
  }

  /** Nobody waits where there is nobody to wait for: whoever is queued has somebody before them who will be done. */
  #handedOut(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#done.push(resolve);
    this.#release();
    return promise;
  }

  #release(): void {
    if (this.#done.length < this.#together && this.#waiting.size > 0) return;
    const all = this.#done;
    this.#done = [];
    for (const goOn of all) goOn();
  }

  /** Resolves when the turn has come. */
  #turn(whose: Whose, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#leave(whose, start);
        reject(signal!.reason);
      };
      signal?.addEventListener('abort', leave);
      this.#enqueue(whose, start);
    });
  }

  #enqueue(whose: Whose, start: () => void): void {
    const own = this.#waiting.get(whose);
    if (own) own.push(start);
    else this.#waiting.set(whose, [start]);
  }

  #leave(whose: Whose, start: () => void): void {
    const own = this.#waiting.get(whose)!;
    own.splice(own.indexOf(start), 1);
    if (own.length > 0) return;
    this.#waiting.delete(whose);
    // Tasks that are done may have waited for this one.
    this.#release();
  }

  /** Removes the next task from the queue: one of `last`, which has just had a turn, only where no other waits. */
  #dequeue(last: Whose): (() => void) | undefined {
    const [first, second] = this.#waiting.keys();
    const whose = first === last && second !== undefined ? second : first;
    if (whose === undefined) return undefined;
    const own = this.#waiting.get(whose)!;
    const next = own.shift();
    // To the end, behind everybody else.
    this.#waiting.delete(whose);
    if (own.length > 0) this.#waiting.set(whose, own);
    return next;
  }
}

/** The same for each of many by itself: what one of them has to do keeps no other waiting. */
export class TurnsOfEach<K> {
  readonly #atOnce: number;
  readonly #turns = new Map<K, { turns: Turns; takers: number }>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async take<T>(key: K, work: () => Promise<T>): Promise<T> {
    const own = this.#turns.get(key) ?? { turns: new Turns(this.#atOnce), takers: 0 };
    this.#turns.set(key, own);
    own.takers += 1;
    try {
      return await own.turns.take(work);
    } finally {
      own.takers -= 1;
      if (own.takers === 0) this.#turns.delete(key);
    }
  }
}
