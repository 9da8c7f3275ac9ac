import { type FairnessKey, FairSemaphore } from '../fair-semaphore.ts';
import type { Holder } from './holder.ts';

interface AccountSemaphoreOptions {
  /** How much of the capacity a top-level account may hold with all accounts below it. A single task may be heavier than that. */
  readonly maxPerTopLevel?: number;
  /** How much one of its customers may hold with all accounts below that. A single task may be heavier than that. */
  readonly maxPerCustomer?: number;
  /** By which `queueUse` tells of it. */
  readonly name?: string;
}

/**
 * Shares a capacity fairly among top-level accounts, and the part of each among its customers: anybody can create accounts, and would
 * have a share more with each of them.
 */
export class AccountSemaphore {
  readonly #all: FairSemaphore;
  /** Shares out the parts of top-level accounts that hold something or wait. Only what fits there waits for the others. */
  readonly #within = new Map<FairnessKey, FairSemaphore>();
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
   * comes, it throws the signal's reason and never calls `work`.
   */
  async run<T>(work: () => Promise<T>, holder: Holder, signal?: AbortSignal): Promise<T> {
    await this.acquire(holder, 1, signal);
    try {
      return await work();
    } finally {
      this.release(holder, 1);
    }
  }

  /** Resolves when the holder has so much more of the capacity; throws the signal's reason if it aborts before. */
  async acquire({ topLevelId, customerId }: Holder, weight: number, signal?: AbortSignal): Promise<void> {
    const within = this.#within.getOrInsertComputed(
      topLevelId,
      () => new FairSemaphore(this.#maxPerTopLevel, { maxPerKey: this.#maxPerCustomer }),
    );
    try {
      await within.acquire(customerId, weight, signal);
      try {
        await this.#all.acquire(topLevelId, weight, signal);
      } catch (error) {
        within.release(customerId, weight);
        throw error;
      }
    } catch (error) {
      this.#forgetIdle(topLevelId);
      throw error;
    }
  }

  /** Gives back what `acquire` has taken. */
  release({ topLevelId, customerId }: Holder, weight: number): void {
    this.#all.release(topLevelId, weight);
    this.#within.get(topLevelId)!.release(customerId, weight);
    this.#forgetIdle(topLevelId);
  }

  #forgetIdle(topLevelId: FairnessKey): void {
    const within = this.#within.get(topLevelId);
    if (within?.used === 0 && within.waiting === 0) this.#within.delete(topLevelId);
  }
}
