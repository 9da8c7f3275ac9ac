import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';
import { AccountSemaphore } from '../tenancy/account-semaphore.ts';
import type { FindHolder, Holder } from '../tenancy/holder.ts';
import { sendContinue } from './continue.ts';

/** A body up to this size is read and processed without waiting. */
const MAX_SMALL_BYTES = 256 * 1024;

/** Returns whether an input is so large that it is processed in another thread, one at a time. */
export function isLarge(bytes: number): boolean {
  return bytes > MAX_SMALL_BYTES;
}

/** The most bytes of large bodies that one process holds. Each takes several times its size while it is processed. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

/** The longest that a large body waits for memory before its client is told to try again. */
const MAX_WAIT_MS = 30_000;

/** The average speed at which a large body must arrive, after the first seconds, while others wait for memory. */
const MIN_BYTES_PER_SECOND = 32 * 1024;
const MIN_RECEIVING_MS = 5000;
const CHECK_INTERVAL_MS = 1000;

/** The large bodies that have reserved memory and are being received. */
const receiving = new Set<Reading>();

/**
 * The most that one top-level account or customer may hold. It leaves room for the largest body of another one (20 MB,
 * unless MAX_BODY_BYTES is higher).
 */
const MAX_HELD_BYTES_OF_TOP_LEVEL = 44 * 1024 * 1024;
const MAX_HELD_BYTES_OF_CUSTOMER = MAX_HELD_BYTES_OF_TOP_LEVEL / 2;

/** Shares the memory for large bodies fairly among accounts. */
const budget = new AccountSemaphore(MAX_HELD_BYTES, {
  maxPerTopLevel: MAX_HELD_BYTES_OF_TOP_LEVEL,
  maxPerCustomer: MAX_HELD_BYTES_OF_CUSTOMER,
  name: 'large bodies',
});

/** Processes one large input at a time: each takes much memory, and a single thread processes them. Accounts take turns. */
const largeInputs = new AccountSemaphore(1, { name: 'large requests' });

/** Runs one change of many pages at a time. A change may take seconds in its own thread. Accounts take turns. */
const longChanges = new AccountSemaphore(1, { name: 'long changes' });

interface BodyOptions {
  /** The largest body, in bytes. */
  readonly limit: number;
  /** Finds the holder of the memory and the turns for large bodies. */
  readonly findHolder: FindHolder;
  /** The size of the input that is processed along with the body: the request's query. */
  readonly beside?: number;
  /** True if `work` queues by itself, so that it starts at once even for a large body. */
  readonly hasOwnQueue?: boolean;
}

/**
 * Reads a request's whole body and calls `work` with it. For large bodies, `work` runs one at a time. A large body is not
 * even read before there is memory for it: one customer with many keys and connections must not take up everybody's memory.
 * @throws AppError `too_large` beyond `limit` bytes, `malformed` if the client disconnected, `unavailable` if there was no
 * memory for too long
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

/** Calls `work`, which processes an input of `bytes` bytes. Large inputs are processed one at a time. */
export function queueLargeInput<T>(bytes: number, findHolder: FindHolder, work: () => T | Promise<T>): T | Promise<T> {
  return isLarge(bytes) ? queueLarge(findHolder, work) : work();
}

/** Calls `work` while no other large input is processed. */
export async function queueLarge<T>(findHolder: FindHolder, work: () => T | Promise<T>): Promise<T> {
  return largeInputs.run(async () => work(), await findHolder());
}

/** Calls `work`, a change of many pages, while no other such change is running. Large inputs do not wait for it. */
export async function queueLongChange<T>(findHolder: FindHolder, work: () => Promise<T>): Promise<T> {
  return longChanges.run(work, await findHolder());
}

class Reading {
  /** How many bytes have been received. */
  size = 0;
  readonly #request: IncomingMessage;
  readonly #limit: number;
  readonly #findHolder: FindHolder;
  #chunks: Buffer[] = [];
  /** The received part of a large body, in a buffer of its final size: joining 20 MB at the end would take 10 ms. */
  #whole: Buffer | undefined;
  /** How many bytes of the budget are reserved, since when (by `Date.now()`), and how many had been received by then. */
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

  /** Returns the body, and drops this object's reference to it. */
  bytes(): Buffer {
    const [chunks, whole] = [this.#chunks, this.#whole];
    this.#chunks = [];
    this.#whole = undefined;
    if (whole) return whole.subarray(0, this.size);
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, this.size);
  }

  /** Aborts this body if it has arrived too slowly while others waited. */
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

/** @throws AppError `too_large` if the Content-Length exceeds `limit` */
export function checkAnnounced({ headers }: IncomingMessage, limit: number): void {
  // Node goes on reading and discards the rest, so that the client gets to see the answer.
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
}

function abortedRequest(): AppError {
  return new AppError('malformed', 'The request broke off.');
}

function tooLarge(limit: number): AppError {
  return new AppError('too_large', `The request body is larger than ${limit} bytes.`);
}

/** Returns whether a body was announced without its length. */
export function isChunked({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined;
}

/** Returns whether a body of at least one byte was announced, or one of unknown length. */
export function hasBody(request: IncomingMessage): boolean {
  return isChunked(request) || Number(request.headers['content-length'] ?? 0) > 0;
}

/** Returns whether a large body was announced, or one of unknown length. */
export function mayBeLarge(request: IncomingMessage): boolean {
  return isChunked(request) || isLarge(Number(request.headers['content-length'] ?? 0));
}
