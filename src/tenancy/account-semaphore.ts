import { type FairnessKey, FairSemaphore } from '../fair-semaphore.ts';
import type { Holder } from './holder.ts';

interface AccountSemaphoreOptions {
  /** The most capacity that a top-level account may hold with all accounts below it. A single task may be heavier. */
  readonly maxPerTopLevel?: number;
  /**
   * The most capacity that one customer of it may hold with all accounts below that customer. A single task may be heavier.
   */
  readonly maxPerCustomer?: number;
  /** The name under which `queueUse` reports the semaphore. */
  readonly name?: string;
}

/**
 * Shares a capacity fairly among top-level accounts, and the part of each among its customers. Accounts as such get no share,
 * since anyone can create accounts and would gain a share with each of them.
 */
export class AccountSemaphore {
  readonly #all: FairSemaphore;
  /**
   * Semaphores within top-level accounts that hold or wait for capacity. A task first passes its own, then queues in `#all`.
   */
  readonly #byTopLevel = new Map<FairnessKey, FairSemaphore>();
  readonly #maxPerTopLevel: number;
  readonly #maxPerCustomer: number;

  constructor(capacity: number, options: AccountSemaphoreOptions = {}) {
    const { maxPerTopLevel = capacity, maxPerCustomer = maxPerTopLevel, name } = options;
    this.#all = new FairSemaphore(capacity, name === undefined ? {} : { name });
    this.#maxPerTopLevel = maxPerTopLevel;
    this.#maxPerCustomer = maxPerCustomer;
  }

  /**
   * Waits for its turn, then calls `work` and returns its result or throws its error. If the signal aborts before the turn
   * comes, throws the signal's reason and never calls `work`.
   */
  async run<T>(work: () => Promise<T>, holder: Holder, signal?: AbortSignal): Promise<T> {
    await this.acquire(holder, 1, signal);
    try {
      return await work();
    } finally {
      this.release(holder, 1);
    }
  }

  /** Waits until the holder gets `weight` more of the capacity. Throws the signal's reason if the signal aborts before. */
  async acquire({ topLevelId, customerId }: Holder, weight: number, signal?: AbortSignal): Promise<void> {
    const semaphore = this.#byTopLevel.getOrInsertComputed(
      topLevelId,
      () => new FairSemaphore(this.#maxPerTopLevel, { maxPerKey: this.#maxPerCustomer }),
    );
    try {
      await semaphore.acquire(customerId, weight, signal);
      try {
        await this.#all.acquire(topLevelId, weight, signal);
      } catch (error) {
        semaphore.release(customerId, weight);
        throw error;
      }
    } catch (error) {
      this.#removeIdle(topLevelId);
      throw error;
    }
  }

  /** Gives back capacity that `acquire` has taken. */
  release({ topLevelId, customerId }: Holder, weight: number): void {
    this.#all.release(topLevelId, weight);
    this.#byTopLevel.get(topLevelId)!.release(customerId, weight);
    this.#removeIdle(topLevelId);
  }

  #removeIdle(topLevelId: FairnessKey): void {
    const semaphore = this.#byTopLevel.get(topLevelId);
    if (semaphore?.used === 0 && semaphore.waiting === 0) this.#byTopLevel.delete(topLevelId);
  }
}
