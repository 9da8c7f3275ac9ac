import type { Db } from '../db/database.ts';
import { FairSemaphore } from '../fair-semaphore.ts';
import type { UpperAccounts } from '../tenancy/find-upper-accounts.ts';
import { type ClaimedWebhook, type ClaimOptions, claimWebhook } from './claim-webhook.ts';

/**
 * Divides the delivery slots among top-level accounts and their customers. Dividing them by account would give more slots
 * to anybody who creates more accounts.
 */
export class SendingShares {
  readonly #maxPerTopLevel: number;
  readonly #maxPerCustomer: number;
  /** The number of claimed webhooks of each top-level account. `#ofCustomers` has those of each customer of one. */
  readonly #ofTopLevels = new Map<number, number>();
  readonly #ofCustomers = new Map<number, number>();
  /** Runs one claim after another, so that each sees the slots that previous ones have taken. */
  readonly #claims = new FairSemaphore(1);

  constructor({ maxPerTopLevel, maxPerCustomer }: { maxPerTopLevel: number; maxPerCustomer: number }) {
    this.#maxPerTopLevel = maxPerTopLevel;
    this.#maxPerCustomer = maxPerCustomer;
  }

  /**
   * Claims a webhook as `claimWebhook` does, but only of accounts that have not used up their share. Call `release` when
   * its run ends.
   */
  claim(db: Db, options: ClaimOptions): Promise<ClaimedWebhook | undefined> {
    return this.#claims.run(async () => {
      const claimed = await claimWebhook(db, { ...options, full: this.#full() });
      if (claimed) this.#count(claimed.upper, 1);
      return claimed;
    });
  }

  release({ upper }: ClaimedWebhook): void {
    this.#count(upper, -1);
  }

  #full(): number[] {
    const topLevels = this.#ofTopLevels.entries().filter(([, count]) => count >= this.#maxPerTopLevel);
    const customers = this.#ofCustomers.entries().filter(([, count]) => count >= this.#maxPerCustomer);
    return [...topLevels, ...customers].map(([id]) => id);
  }

  #count({ topLevelId, customerId }: UpperAccounts, change: number): void {
    add(this.#ofTopLevels, topLevelId, change);
    // The top-level account itself is not a customer. `claimWebhook` already limits the webhooks of one account.
    if (customerId !== topLevelId) add(this.#ofCustomers, customerId, change);
  }
}

function add(counts: Map<number, number>, id: number, change: number): void {
  const count = (counts.get(id) ?? 0) + change;
  if (count > 0) counts.set(id, count);
  else counts.delete(id);
}
