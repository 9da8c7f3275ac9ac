/**
 * Lets work be done a few at a time, accounts taking turns: one that asks for a thousand things at once holds up itself
 * and nobody else.
 */
export class Turns {
  #free: number;
  readonly #together: number;
  /** Who waits, by account; the account whose turn it is comes first. */
  readonly #waiting = new Map<number, Array<() => void>>();
  /** Who is done, and waits for others to be. */
  #done: Array<() => void> = [];

  /**
   * While more wait than can be worked for, those who are done go on up to `together` at a time: what each of them does
   * next then costs one commit for all, and one cold start, for a hash leaves nothing else in the processor's caches.
   */
  constructor({ atOnce, together }: { atOnce: number; together: number }) {
    this.#free = atOnce;
    this.#together = together;
  }

  /** What `work` gives, when it was this account's turn; throws what `work` throws, and the next one's turn comes. */
  async take<T>(accountId: number, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#enqueue(accountId, resolve));
    try {
      return await work();
    } finally {
      const next = this.#dequeue();
      if (next) next();
      else this.#free++;
      await this.#handedOut();
    }
  }

  /** Nobody waits where there is nobody to wait for: whoever is queued has somebody before them who will be done. */
  #handedOut(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#done.push(resolve);
    if (this.#done.length === this.#together || this.#waiting.size === 0) {
      const all = this.#done;
      this.#done = [];
      for (const goOn of all) goOn();
    }
    return promise;
  }

  #enqueue(accountId: number, start: () => void): void {
    const own = this.#waiting.get(accountId);
    if (own) own.push(start);
    else this.#waiting.set(accountId, [start]);
  }

  #dequeue(): (() => void) | undefined {
    for (const [accountId, own] of this.#waiting) {
      const next = own.shift();
      // To the end, behind every other account.
      this.#waiting.delete(accountId);
      if (own.length > 0) this.#waiting.set(accountId, own);
      return next;
    }
    return undefined;
  }
}
