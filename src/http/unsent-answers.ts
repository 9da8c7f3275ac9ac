import { finished } from 'node:stream/promises';
import { AppError } from '../errors.ts';
import { AccountShares } from '../tenancy/account-shares.ts';
import type { Holder } from '../tenancy/holder.ts';
import type { StreamedBody } from './request-context.ts';

/** The most bytes of large answers that may wait to be read by their clients. */
const MAX_UNSENT_BYTES = 128 * 1024 * 1024;

/**
 * Counts the bytes of large answers that have not been sent. Otherwise clients that do not read could fill the memory: each
 * answer waits for its client until the connection times out.
 */
export class UnsentAnswers {
  readonly #bytes = new AccountShares(MAX_UNSENT_BYTES, { maxPerCustomer: MAX_UNSENT_BYTES / 2 });

  /** @throws AppError `unavailable` if too many bytes are unsent */
  checkRoom(holder: Holder): void {
    // The size of the answer is not known yet.
    if (this.#bytes.hasRoom(holder, 1)) return;
    throw new AppError('unavailable', 'Too many large answers are being sent. Try again.');
  }

  /**
   * Returns a body that counts as unsent until it has been sent, and frees its buffer then. `bytes` must be the whole of its
   * buffer.
   */
  counted(holder: Holder, bytes: Buffer): StreamedBody {
    const size = bytes.length;
    return {
      size,
      sendTo: async (target) => {
        this.#bytes.take(holder, size);
        try {
          target.end(bytes);
          await finished(target);
          // Without this, garbage collection would free the buffer only two or three answers later.
          (bytes.buffer as ArrayBuffer).transfer(0);
        } finally {
          this.#bytes.giveBack(holder, size);
        }
      },
    };
  }
}
