import { finished } from 'node:stream/promises';
import { AppError } from '../errors.ts';
import { AccountShares } from '../tenancy/account-shares.ts';
import type { Holder } from '../tenancy/holder.ts';
import type { StreamedBody } from './request-context.ts';

/** How many bytes of large answers may wait for their clients to read them. */
const MAX_UNSENT_BYTES = 128 * 1024 * 1024;

/**
 * Counts the bytes of large answers that have not been sent. Clients that do not read would otherwise fill the memory: each
 * answer waits for its client until the connection times out.
 */
export class UnsentAnswers {
  readonly #bytes = new AccountShares(MAX_UNSENT_BYTES, { maxPerCustomer: MAX_UNSENT_BYTES / 2 });

  /** @throws AppError `unavailable` if too much is unsent for another answer. */
  checkRoom(holder: Holder): void {
    // How large the answer will be is not known.
    if (this.#bytes.hasRoom(holder, 1)) return;
    throw new AppError('unavailable', 'Too many large answers are being sent. Try again.');
  }

  /** Returns the body, which has a buffer of its own, so that its bytes count until they have been sent. They are freed then. */
  counted(holder: Holder, bytes: Buffer): StreamedBody {
    const size = bytes.length;
    return {
      size,
      sendTo: async (target) => {
        this.#bytes.take(holder, size);
        try {
          target.end(bytes);
          await finished(target);
          // The garbage collection would find two or three of them later.
          (bytes.buffer as ArrayBuffer).transfer(0);
        } finally {
          this.#bytes.giveBack(holder, size);
        }
      },
    };
  }
}
