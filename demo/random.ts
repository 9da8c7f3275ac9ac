/** A generator of reproducible random numbers: https://en.wikipedia.org/wiki/Linear_congruential_generator */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
    this.next();
  }

  /** Returns a number from 0 to below 1. */
  next(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 2 ** 32;
  }

  between(from: number, to: number): number {
    return from + this.next() * (to - from);
  }

  /** Returns true with this probability. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.next() * choices.length)]!;
  }

  /** Picks by weight. */
  pickWeighted<T>(choices: ReadonlyArray<readonly [weight: number, choice: T]>): T {
    let rest = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, choice] of choices) {
      rest -= weight;
      if (rest < 0) return choice;
    }
    return choices.at(-1)![1];
  }

  shuffle<T>(choices: readonly T[]): T[] {
    const keyed = choices.map((choice) => ({ choice, key: this.next() }));
    return keyed.sort((a, b) => a.key - b.key).map(({ choice }) => choice);
  }
}
