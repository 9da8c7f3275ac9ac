import { FairSemaphore } from '../../fair-semaphore.ts';
import { Refusal } from '../../refusal.ts';
import { AccountShares } from '../../tenancy/account-shares.ts';
import type { FindHolder } from '../../tenancy/holder.ts';

/** How many characters of page text the running previews of one process may take up. */
const MAX_RESERVED_CHARACTERS = 64 * 1024 * 1024;

/**
 * Bounds the memory of previews. Each user's previews are made one at a time: the next request's body is not even read before.
 * All previews under way share one limit, of which no account may use more than its share.
 */
export class PreviewLimits {
  readonly #perUser = new FairSemaphore(Number.POSITIVE_INFINITY, { maxPerKey: 1 });
  readonly #reserved: AccountShares;

  constructor(maxReservedCharacters = MAX_RESERVED_CHARACTERS) {
    this.#reserved = new AccountShares(maxReservedCharacters);
  }

  /** Calls `work` when the user has no other preview under way. */
  queue<T>(userId: number, work: () => Promise<T>): Promise<T> {
    return this.#perUser.run(work, userId);
  }

  /**
   * Calls `work` with the given number of characters reserved.
   * @throws AppError `unavailable` if previews under way leave too little room
   */
  async withReserved<T>(characters: number, findHolder: FindHolder, work: () => Promise<T>): Promise<T> {
    const holder = await findHolder();
    if (!this.#reserved.hasRoom(holder, characters)) throw new Refusal('unavailable', { reason: 'previews_busy' });
    this.#reserved.take(holder, characters);
    try {
      return await work();
    } finally {
      this.#reserved.giveBack(holder, characters);
    }
  }
}
