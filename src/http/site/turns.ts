/** Lets so much work at a time begin; whoever waits longest is next. */
export class Turns {
  #free: number;
  readonly #waiting: Array<() => void> = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // Whoever waited longest has this turn next; it never becomes free in between.
      if (next) next();
      else this.#free += 1;
    }
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
