import type { FairnessKey } from '../fair-semaphore.ts';
import type { Holder } from './holder.ts';

interface AccountSharesOptions {
  /** How much a top-level account may hold with all accounts below it. One amount alone may be larger. */
  readonly maxPerTopLevel?: number;
  /** How much one of its customers may hold with all accounts below that. One amount alone may be larger. */
  readonly maxPerCustomer?: number;
}

/**
 * Counts who holds how much of a capacity, so that requests can be refused when it or their share of it is used up. `AccountSemaphore` has
 * them wait instead.
 */
export class AccountShares {
  readonly #capacity: number;
  readonly #maxPerTopLevel: number;
  readonly #maxPerCustomer: number;
  #held = 0;
  readonly #heldByTopLevel = new Map<FairnessKey, number>();
  readonly #heldByCustomer = new Map<FairnessKey, number>();

  constructor(capacity: number, options: AccountSharesOptions = {}) {
    const { maxPerTopLevel = capacity / 2, maxPerCustomer = maxPerTopLevel / 2 } = options;
    this.#capacity = capacity;
    this.#maxPerTopLevel = maxPerTopLevel;
    this.#maxPerCustomer = maxPerCustomer;
  }

  /** Whether the holder may have so much more. */
  hasRoom({ topLevelId, customerId }: Holder, amount: number): boolean {
    return (
      fits(this.#held, amount, this.#capacity) &&
      fits(this.#heldByTopLevel.get(topLevelId) ?? 0, amount, this.#maxPerTopLevel) &&
      fits(this.#heldByCustomer.get(customerId) ?? 0, amount, this.#maxPerCustomer)
    );
  }

  /** Counts so much more for the holder, whether there is room or not. */
  take({ topLevelId, customerId }: Holder, amount: number): void {
    this.#held += amount;
    add(this.#heldByTopLevel, topLevelId, amount);
    add(this.#heldByCustomer, customerId, amount);
  }

  /** Gives back what `take` has counted. */
  giveBack(holder: Holder, amount: number): void {
    this.take(holder, -amount);
  }
}

function fits(held: number, amount: number, most: number): boolean {
  return held === 0 || held + amount <= most;
}

function add(amounts: Map<FairnessKey, number>, key: FairnessKey, amount: number): void {
  const sum = (amounts.get(key) ?? 0) + amount;
  if (sum > 0) amounts.set(key, sum);
  else amounts.delete(key);
}
