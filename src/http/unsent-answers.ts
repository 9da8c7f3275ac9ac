import { finished } from 'node:stream/promises';
import { AppError } from '../errors.ts';
import type { FairnessKey } from '../fair-semaphore.ts';
import type { StreamedBody } from './request-context.ts';

/** How many bytes of large answers may wait for their clients to read them, and how many of one account's. */
const MAX_UNSENT_BYTES = 128 * 1024 * 1024;
const MAX_UNSENT_BYTES_PER_ACCOUNT = MAX_UNSENT_BYTES / 2;

/**
 * Counts the bytes of large answers that have not been sent. Clients that do not read would otherwise fill the memory: each
 * answer waits for its client until the connection times out.
 */
export class UnsentAnswers {
  #bytes = 0;
  readonly #bytesByKey = new Map<FairnessKey, number>();

  /** @throws AppError `unavailable` if too much is unsent for another answer. */
  checkRoom(key: FairnessKey): void {
    if (this.#bytes < MAX_UNSENT_BYTES && (this.#bytesByKey.get(key) ?? 0) < MAX_UNSENT_BYTES_PER_ACCOUNT) return;
    throw new AppError('unavailable', 'Too many large answers are being sent. Try again.');
  }

  /** Returns the body, which has a buffer of its own, so that its bytes count until they have been sent. They are freed then. */
  counted(key: FairnessKey, bytes: Buffer): StreamedBody {
    const size = bytes.length;
    return {
      size,
      sendTo: async (target) => {
        this.#add(key, size);
        try {
          target.end(bytes);
          await finished(target);
          // The garbage collection would find two or three of them later.
          (bytes.buffer as ArrayBuffer).transfer(0);
        } finally {
          this.#add(key, -size);
        }
      },
    };
  }

  #add(key: FairnessKey, bytes: number): void {
    this.#bytes += bytes;
    const own = (this.#bytesByKey.get(key) ?? 0) + bytes;
    if (own > 0) this.#bytesByKey.set(key, own);
    else this.#bytesByKey.delete(key);
  }
}
