import { FairSemaphore } from '../../fair-semaphore.ts';
import { Refusal } from '../../refusal.ts';

/** How many characters of page text one process holds for running previews. */
const MAX_HELD_CHARACTERS = 64 * 1024 * 1024;

/**
 * Bounds the memory of previews. A person's previews are made one at a time: the next one's body is not even read before.
 * All previews under way share one limit.
 */
export class PreviewLimits {
  readonly #ofEach = new FairSemaphore(Number.POSITIVE_INFINITY, { maxPerKey: 1 });
  readonly #maxHeld: number;
  #held = 0;

  constructor(maxHeldCharacters = MAX_HELD_CHARACTERS) {
    this.#maxHeld = maxHeldCharacters;
  }

  /** Calls `work` when the person has no other preview under way. */
  queue<T>(userId: number, work: () => Promise<T>): Promise<T> {
    return this.#ofEach.run(work, userId);
  }

  /**
   * Calls `work`, which holds so many characters.
   * @throws AppError `unavailable` where others hold so much that there is no room
   */
  async hold<T>(characters: number, work: () => Promise<T>): Promise<T> {
    if (this.#held > 0 && this.#held + characters > this.#maxHeld) {
      throw new Refusal('unavailable', { reason: 'previews_busy' });
    }
    this.#held += characters;
    try {
      return await work();
    } finally {
      this.#held -= characters;
    }
  }
}
