import type { Db } from '../db/database.ts';
import { FairSemaphore } from '../fair-semaphore.ts';
import type { UpperAccounts } from '../tenancy/find-upper-accounts.ts';
import { type ClaimedWebhook, type ClaimOptions, claimWebhook } from './claim-webhook.ts';

/**
 * Shares out the places in which webhooks have their turns: anybody can create accounts, and would have more places with each of them if
 * these were shared out by account.
 */
export class SendingShares {
  readonly #maxPerTopLevel: number;
  readonly #maxPerCustomer: number;
  /** How many webhooks have their turn, by top-level account and by customer of one. */
  readonly #ofTopLevels = new Map<number, number>();
  readonly #ofCustomers = new Map<number, number>();
  /** One claim after another: each knows what the ones before have taken. */
  readonly #claims = new FairSemaphore(1);

  constructor({ maxPerTopLevel, maxPerCustomer }: { maxPerTopLevel: number; maxPerCustomer: number }) {
    this.#maxPerTopLevel = maxPerTopLevel;
    this.#maxPerCustomer = maxPerCustomer;
  }

  /** Claims a webhook as `claimWebhook` does, of accounts whose shares have room. Call `release` when its turn is over. */
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
    // The top-level account itself is no customer. One account has no more turns than a customer anyway.
    if (customerId !== topLevelId) add(this.#ofCustomers, customerId, change);
  }
}

function add(counts: Map<number, number>, id: number, change: number): void {
  const count = (counts.get(id) ?? 0) + change;
  if (count > 0) counts.set(id, count);
  else counts.delete(id);
}
