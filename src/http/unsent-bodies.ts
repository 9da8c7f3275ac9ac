import type { ServerResponse } from 'node:http';
import { AppError } from '../errors.ts';
import { AccountShares } from '../tenancy/account-shares.ts';
import type { Holder } from '../tenancy/holder.ts';
import type { HttpResponse } from './request-context.ts';

/** Smaller bodies do not count: the limit on connections bounds them. */
const MIN_COUNTED_BYTES = 256 * 1024;

/** Returns the part of the body that is held in memory, if it is large enough to be counted. */
export function countedBody({ body }: HttpResponse): string | Buffer | undefined {
  const inMemory = typeof body === 'string' || Buffer.isBuffer(body) ? body : body.text;
  return inMemory !== undefined && inMemory.length >= MIN_COUNTED_BYTES ? inMemory : undefined;
}

/** The most bytes that may wait to be read by their clients. */
const MAX_UNSENT_BYTES = 256 * 1024 * 1024;

interface Held {
  readonly holder: Holder;
  readonly size: number;
  readers: number;
}

/**
 * Counts the bytes of large bodies in memory that have not been sent. An account may have thousands of different pages and
 * lists: clients that request all of them and do not read would fill the memory. A body that is sent to many clients counts
 * once.
 */
export class UnsentBodies {
  readonly #bytes = new AccountShares(MAX_UNSENT_BYTES);
  readonly #buffers = new Map<Buffer, Held>();

  /** Counts the body until the response is closed. @throws AppError `unavailable` if too many bytes are unsent */
  hold(holder: Holder, body: string | Buffer, response: Pick<ServerResponse, 'closed' | 'once'>): void {
    if (response.closed) return;
    const known = typeof body === 'string' ? undefined : this.#buffers.get(body);
    const held = known ?? { holder, size: body.length, readers: 0 };
    if (!known) this.#take(held);
    held.readers += 1;
    if (typeof body !== 'string') this.#buffers.set(body, held);
    response.once('close', () => {
      held.readers -= 1;
      if (held.readers > 0) return;
      if (typeof body !== 'string') this.#buffers.delete(body);
      this.#bytes.giveBack(held.holder, held.size);
    });
  }

  #take({ holder, size }: Held): void {
    if (!this.#bytes.hasRoom(holder, size)) {
      throw new AppError('unavailable', 'Too many large answers are being sent. Try again.');
    }
    this.#bytes.take(holder, size);
  }
}
