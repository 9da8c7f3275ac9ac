import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';
import { AccountSemaphore } from '../tenancy/account-semaphore.ts';
import type { FindHolder, Holder } from '../tenancy/holder.ts';
import { sendContinue } from './continue.ts';

/** A body up to this size is read and processed without waiting. */
const MAX_SMALL_BYTES = 256 * 1024;

/** Tells whether an input takes long enough to be worked on that it is done in another thread, one at a time. */
export function isLarge(bytes: number): boolean {
  return bytes > MAX_SMALL_BYTES;
}

/** How many bytes of large bodies one process holds: each takes several times its size while it is processed. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

/** How long a large body waits for room before its client is told to try again. */
const MAX_WAIT_MS = 30_000;

/** While others wait for room, a large body that has it must come at this speed on average, after some seconds. */
const MIN_BYTES_PER_SECOND = 32 * 1024;
const MIN_RECEIVING_MS = 5000;
const CHECK_INTERVAL_MS = 1000;

/** The large bodies that have room and are being received. */
const receiving = new Set<Reading>();

/** Leaves room for the largest body of another top-level account, and of another customer (20 MB, unless MAX_BODY_BYTES is higher). */
const MAX_HELD_BYTES_OF_TOP_LEVEL = 44 * 1024 * 1024;
const MAX_HELD_BYTES_OF_CUSTOMER = MAX_HELD_BYTES_OF_TOP_LEVEL / 2;

/** Shares out memory to large bodies. */
const budget = new AccountSemaphore(MAX_HELD_BYTES, {
  maxPerTopLevel: MAX_HELD_BYTES_OF_TOP_LEVEL,
  maxPerCustomer: MAX_HELD_BYTES_OF_CUSTOMER,
  name: 'large bodies',
});

/** Admits one large input at a time: each takes much memory, and they are worked on by one thread. Accounts take turns. */
const largeInputs = new AccountSemaphore(1, { name: 'large requests' });

/** Admits one change of many pages at a time, which may take seconds in a thread of its own. Accounts take turns. */
const longChanges = new AccountSemaphore(1, { name: 'long changes' });

interface BodyOptions {
  /** In bytes. */
  readonly limit: number;
  /** Finds who shares the room and the turns for large bodies with others. */
  readonly findHolder: FindHolder;
  /** The size of other input that is processed with the body: the request's query. */
  readonly beside?: number;
  /** Whether the work waits for its turn by itself, however large the body is. */
  readonly hasOwnQueue?: boolean;
}

/**
 * Reads a request's body whole and does `work` with it; where it is large, when no other large one is worked on. A large body
 * is not even read before there is room for it: however many keys and connections somebody has, memory is everybody's.
 * @throws AppError `too_large` beyond `limit` bytes, `malformed` when the client broke off, `unavailable` when there was no
 * room for long.
 */
export async function withBody<T>(
  request: IncomingMessage,
  { limit, findHolder, beside = 0, hasOwnQueue = false }: BodyOptions,
  work: (bytes: Buffer) => T | Promise<T>,
): Promise<T> {
  const reading = new Reading(request, { limit, findHolder });
  try {
    await reading.receive();
    if (hasOwnQueue) return await work(reading.bytes());
    return await queueLargeInput(reading.size + beside, findHolder, () => work(reading.bytes()));
  } finally {
    reading.release();
  }
}

/** Does `work` on an input of that size. Large inputs are worked on one at a time. */
export function queueLargeInput<T>(bytes: number, findHolder: FindHolder, work: () => T | Promise<T>): T | Promise<T> {
  return isLarge(bytes) ? queueLarge(findHolder, work) : work();
}

/** Does `work` while no other large input is worked on. */
export async function queueLarge<T>(findHolder: FindHolder, work: () => T | Promise<T>): Promise<T> {
  return largeInputs.run(async () => work(), await findHolder());
}

/** Does `work`, a change of many pages, while no other one is made. Large inputs need not wait for it. */
export async function queueLongChange<T>(findHolder: FindHolder, work: () => Promise<T>): Promise<T> {
  return longChanges.run(work, await findHolder());
}

class Reading {
  /** In bytes, of all that has come. */
  size = 0;
  readonly #request: IncomingMessage;
  readonly #limit: number;
  readonly #findHolder: FindHolder;
  #chunks: Buffer[] = [];
  /** The received part of a large body, written to its final place: joining 20 MB at the end would take 10 ms. */
  #whole: Buffer | undefined;
  /** How many bytes of the budget it has reserved, when (by `Date.now()`), and how many had been received by then. */
  #reserved = 0;
  #reservedAt = 0;
  #reservedSize = 0;
  #holder: Holder | undefined;
  #fail: ((error: unknown) => void) | undefined;

  constructor(request: IncomingMessage, { limit, findHolder }: BodyOptions) {
    this.#request = request;
    this.#limit = limit;
    this.#findHolder = findHolder;
  }

  async receive(): Promise<void> {
    const request = this.#request;
    checkAnnounced(request, this.#limit);
    const announced = Number(request.headers['content-length'] ?? 0);
    if (isLarge(announced)) await this.#reserve(announced);
    // A destroyed request emits neither 'end' nor 'error'.
    if (request.destroyed) throw abortedRequest();
    sendContinue(request);
    await new Promise<void>((resolve, reject) => {
      const fail = (error: unknown) => {
        this.#fail = undefined;
        request.off('data', onData);
        request.resume();
        reject(error);
      };
      const onData = (chunk: Buffer) => {
        this.size += chunk.length;
        if (this.size > this.#limit) return fail(tooLarge(this.#limit));
        if (this.#whole) {
          chunk.copy(this.#whole, this.size - chunk.length);
          return;
        }
        this.#chunks.push(chunk);
        if (!isLarge(this.size)) return;
        // The length is unknown: reserve the maximum.
        request.pause();
        this.#reserve(this.#limit).then(() => request.resume(), fail);
      };
      this.#fail = fail;
      request.on('data', onData);
      request.on('end', resolve);
      request.on('error', () => reject(abortedRequest()));
    }).finally(() => receiving.delete(this));
  }

  /** The body, which is not kept here any longer. */
  bytes(): Buffer {
    const [chunks, whole] = [this.#chunks, this.#whole];
    this.#chunks = [];
    this.#whole = undefined;
    if (whole) return whole.subarray(0, this.size);
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, this.size);
  }

  /** Gives up a body for which others have waited long enough. */
  dropIfSlow(): void {
    const milliseconds = Date.now() - this.#reservedAt;
    const expected = (MIN_BYTES_PER_SECOND * milliseconds) / 1000;
    if (milliseconds < MIN_RECEIVING_MS || this.size - this.#reservedSize >= expected) return;
    this.#fail?.(new AppError('unavailable', 'The body came too slowly while others waited. Try again.'));
  }

  release(): void {
    if (this.#holder) budget.release(this.#holder, this.#reserved);
    this.#holder = undefined;
  }

  async #reserve(bytes: number): Promise<void> {
    if (this.#request.destroyed) throw abortedRequest();
    const waiting = new AbortController();
    const busy = new AppError('unavailable', 'Too much is being sent at once. Try again.');
    const timer = setTimeout(() => waiting.abort(busy), MAX_WAIT_MS);
    const checks = setInterval(() => {
      for (const other of receiving) other.dropIfSlow();
    }, CHECK_INTERVAL_MS);
    const leave = () => waiting.abort(abortedRequest());
    this.#request.once('close', leave);
    try {
      const holder = await this.#findHolder();
      await budget.acquire(holder, bytes, waiting.signal);
      this.#holder = holder;
      this.#reserved = bytes;
      this.#reservedAt = Date.now();
      this.#reservedSize = this.size;
      receiving.add(this);
      this.#whole = Buffer.allocUnsafeSlow(bytes);
      Buffer.concat(this.#chunks).copy(this.#whole);
      this.#chunks = [];
    } finally {
      clearTimeout(timer);
      clearInterval(checks);
      this.#request.off('close', leave);
    }
  }
}

/** @throws AppError `too_large` when the request says itself that its body is larger than `limit` bytes. */
export function checkAnnounced({ headers }: IncomingMessage, limit: number): void {
  // Node reads on and throws away what is left, so that the client gets to see the answer.
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
}

function abortedRequest(): AppError {
  return new AppError('malformed', 'The request broke off.');
}

function tooLarge(limit: number): AppError {
  return new AppError('too_large', `The request body is larger than ${limit} bytes.`);
}

/** Tells whether a body was announced without its length. */
export function isChunked({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined;
}

/** Whether a body was announced with at least one byte. */
export function hasBody(request: IncomingMessage): boolean {
  return isChunked(request) || Number(request.headers['content-length'] ?? 0) > 0;
}

/** Tells whether a body was announced as a large one, or without its length. */
export function mayBeLarge(request: IncomingMessage): boolean {
  return isChunked(request) || isLarge(Number(request.headers['content-length'] ?? 0));
}
