import type { ServerResponse } from 'node:http';
import { AppError } from '../errors.ts';
import type { FairnessKey } from '../fair-semaphore.ts';
import { network } from './client.ts';
import type { RequestContext } from './request-context.ts';

/** Smaller bodies do not count: the number of connections limits them. */
const MIN_COUNTED_BYTES = 256 * 1024;
/** How many bytes may wait for their clients to read them, and how many of one account's. */
const MAX_UNSENT_BYTES = 256 * 1024 * 1024;
const MAX_UNSENT_BYTES_PER_ACCOUNT = MAX_UNSENT_BYTES / 4;

interface Held {
  readonly key: FairnessKey;
  readonly size: number;
  readers: number;
}

/**
 * Counts the bytes of large bodies in memory that have not been sent. An account may have thousands of different pages and lists:
 * clients that ask for all of them and do not read would fill the memory. A body that many clients are sent is there once.
 */
export class UnsentBodies {
  #bytes = 0;
  readonly #bytesByKey = new Map<FairnessKey, number>();
  readonly #buffers = new Map<Buffer, Held>();

  /** Counts the body until the response is closed. @throws AppError `unavailable` where too much is unsent */
  hold(ctx: RequestContext, body: string | Buffer, response: Pick<ServerResponse, 'closed' | 'once'>): void {
    if (body.length < MIN_COUNTED_BYTES || response.closed) return;
    const known = typeof body === 'string' ? undefined : this.#buffers.get(body);
    const held = known ?? { key: keyOf(ctx), size: body.length, readers: 0 };
    if (!known) this.#take(held);
    held.readers += 1;
    if (typeof body !== 'string') this.#buffers.set(body, held);
    response.once('close', () => {
      held.readers -= 1;
      if (held.readers > 0) return;
      if (typeof body !== 'string') this.#buffers.delete(body);
      this.#add(held.key, -held.size);
    });
  }

  #take({ key, size }: Held): void {
    const ofAccount = this.#bytesByKey.get(key) ?? 0;
    if (this.#bytes >= MAX_UNSENT_BYTES || ofAccount >= MAX_UNSENT_BYTES_PER_ACCOUNT) {
      throw new AppError('unavailable', 'Too many large answers are being sent. Try again.');
    }
    this.#add(key, size);
  }

  #add(key: FairnessKey, bytes: number): void {
    this.#bytes += bytes;
    const own = (this.#bytesByKey.get(key) ?? 0) + bytes;
    if (own > 0) this.#bytesByKey.set(key, own);
    else this.#bytesByKey.delete(key);
  }
}

/** Returns the account whose answer it is: of a visitor, that of the site. */
function keyOf({ caller, person, siteAccountId, ip }: RequestContext): FairnessKey {
  return caller?.accountId ?? person?.accountId ?? siteAccountId ?? network(ip);
}
