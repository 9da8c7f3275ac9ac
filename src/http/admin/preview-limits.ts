import { FairSemaphore } from '../../fair-semaphore.ts';
import { Refusal } from '../../refusal.ts';
import { AccountShares } from '../../tenancy/account-shares.ts';
import type { FindHolder } from '../../tenancy/holder.ts';

/** How many characters of page text one process holds for running previews. */
const MAX_HELD_CHARACTERS = 64 * 1024 * 1024;

/**
 * Bounds the memory of previews. A person's previews are made one at a time: the next one's body is not even read before.
 * All previews under way share one limit, of which no account may use more than its share.
 */
export class PreviewLimits {
  readonly #ofEach = new FairSemaphore(Number.POSITIVE_INFINITY, { maxPerKey: 1 });
  readonly #held: AccountShares;

  constructor(maxHeldCharacters = MAX_HELD_CHARACTERS) {
    this.#held = new AccountShares(maxHeldCharacters);
  }

  /** Calls `work` when the person has no other preview under way. */
  queue<T>(userId: number, work: () => Promise<T>): Promise<T> {
    return this.#ofEach.run(work, userId);
  }

  /**
   * Calls `work`, which holds so many characters.
   * @throws AppError `unavailable` where so much is held that there is no room
   */
  async hold<T>(characters: number, findHolder: FindHolder, work: () => Promise<T>): Promise<T> {
    const holder = await findHolder();
    if (!this.#held.hasRoom(holder, characters)) throw new Refusal('unavailable', { reason: 'previews_busy' });
    this.#held.take(holder, characters);
    try {
      return await work();
    } finally {
      this.#held.giveBack(holder, characters);
    }
  }
}
