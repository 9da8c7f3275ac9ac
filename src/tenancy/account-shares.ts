import type { FairnessKey } from '../fair-semaphore.ts';
import type { Holder } from './holder.ts';

interface AccountSharesOptions {
  /** The most that a top-level account may hold with all accounts below it. A single amount may be larger. */
  readonly maxPerTopLevel?: number;
  /** The most that one customer of it may hold with all accounts below that customer. A single amount may be larger. */
  readonly maxPerCustomer?: number;
}

/**
 * Counts how much of a capacity each account holds, so that requests can be refused when the capacity or their share of it
 * is used up. `AccountSemaphore` makes requests wait instead.
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

  /** True if the holder may take the amount. */
  hasRoom({ topLevelId, customerId }: Holder, amount: number): boolean {
    return (
      fits(this.#held, amount, this.#capacity) &&
      fits(this.#heldByTopLevel.get(topLevelId) ?? 0, amount, this.#maxPerTopLevel) &&
      fits(this.#heldByCustomer.get(customerId) ?? 0, amount, this.#maxPerCustomer)
    );
  }

  /** Counts the amount for the holder, even if there is no room. */
  take({ topLevelId, customerId }: Holder, amount: number): void {
    this.#held += amount;
    add(this.#heldByTopLevel, topLevelId, amount);
    add(this.#heldByCustomer, customerId, amount);
  }

  /** Subtracts an amount that `take` has counted. */
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
