import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { type FairnessKey, FairSemaphore } from '../fair-semaphore.ts';
import { ByteBudget } from './byte-budget.ts';
import { sendContinue } from './continue.ts';

/** A body up to this is read and worked on whatever else there is. */
const SMALL_BYTES = 256 * 1024;

/** How much one process holds of large bodies: each takes several times its size while it is worked on. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

/** How long a large body waits for room before its client is told to try again. */
const MAX_WAIT_MS = 30_000;

const budget = new ByteBudget(MAX_HELD_BYTES);

/**
 * Admits one large input at a time: 16 MB take a fifth of a second to be decoded, parsed and stored, and everybody would wait
 * that long for each connection that sends so much. Accounts take turns.
 */
const largeInputs = new FairSemaphore(1);

export interface BodyOptions {
  /** In bytes. */
  readonly limit: number;
  /** On whose behalf it is sent. */
  readonly fairnessKey: FairnessKey;
  /** What is worked on with the body: the length of the request's query. */
  readonly beside?: number;
}

/**
 * Reads a request's body whole and does `work` with it; where it is large, when no other large one is worked on. A large body
 * is not even read before there is room for it: however many keys and connections somebody has, memory is everybody's.
 * @throws AppError `too_large` beyond `limit` bytes, `malformed` when the client broke off, `unavailable` when there was no
 * room for long.
 */
export async function withBody<T>(
  request: IncomingMessage,
  { limit, fairnessKey, beside = 0 }: BodyOptions,
  work: (bytes: Buffer) => T | Promise<T>,
): Promise<T> {
  const reading = new Reading(request, { limit, fairnessKey });
  try {
    await reading.receive();
    return await queueLargeInput(reading.size + beside, fairnessKey, () => work(reading.bytes()));
  } finally {
    reading.release();
  }
}

/** Does `work` on an input of that size; where that is large, when no other large one is worked on. */
export function queueLargeInput<T>(
  bytes: number,
  fairnessKey: FairnessKey,
  work: () => T | Promise<T>,
): T | Promise<T> {
  if (bytes <= SMALL_BYTES) return work();
  return largeInputs.run(async () => {
    await setImmediate();
    return work();
  }, fairnessKey);
}

class Reading {
  /** In bytes, of all that has come. */
  size = 0;
  readonly #request: IncomingMessage;
  readonly #limit: number;
  readonly #fairnessKey: FairnessKey;
  #chunks: Buffer[] = [];
  /** What it has of the budget. */
  #reserved = 0;

  constructor(request: IncomingMessage, { limit, fairnessKey }: BodyOptions) {
    this.#request = request;
    this.#limit = limit;
    this.#fairnessKey = fairnessKey;
  }

  async receive(): Promise<void> {
    const request = this.#request;
    checkAnnounced(request, this.#limit);
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > SMALL_BYTES) await this.#reserve(announced);
    // Then it tells nobody any more: neither that it has ended nor what was wrong.
    if (request.destroyed) throw brokenOff();
    sendContinue(request);
    await new Promise<void>((resolve, reject) => {
      const fail = (error: unknown) => {
        request.off('data', onData);
        request.resume();
        reject(error);
      };
      const onData = (chunk: Buffer) => {
        this.size += chunk.length;
        if (this.size > this.#limit) return fail(tooLarge(this.#limit));
        this.#chunks.push(chunk);
        if (this.size <= SMALL_BYTES || this.#reserved > 0) return;
        // How much will come nobody has said.
        request.pause();
        this.#reserve(this.#limit).then(() => request.resume(), fail);
      };
      request.on('data', onData);
      request.on('end', resolve);
      request.on('error', () => reject(brokenOff()));
    });
  }

  /** The body, which is not kept here any longer. */
  bytes(): Buffer {
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, this.size);
  }

  release(): void {
    if (this.#reserved > 0) budget.release(this.#fairnessKey, this.#reserved);
    this.#reserved = 0;
  }

  async #reserve(bytes: number): Promise<void> {
    if (this.#request.destroyed) throw brokenOff();
    const waiting = new AbortController();
    const busy = new AppError('unavailable', 'Too much is being sent at once. Try again.');
    const timer = setTimeout(() => waiting.abort(busy), MAX_WAIT_MS);
    const leave = () => waiting.abort(brokenOff());
    this.#request.once('close', leave);
    try {
      await budget.acquire(this.#fairnessKey, bytes, waiting.signal);
      this.#reserved = bytes;
    } finally {
      clearTimeout(timer);
      this.#request.off('close', leave);
    }
  }
}

/** Between two steps of the work on a large body, those who arrived during the first one are answered. */
export async function letOthersIn(bytes: Buffer): Promise<void> {
  if (bytes.length > SMALL_BYTES) await setImmediate();
}

/** @throws AppError `too_large` when the request says itself that its body is larger than `limit` bytes. */
export function checkAnnounced({ headers }: IncomingMessage, limit: number): void {
  // Node reads on and throws away what is left, so that the client gets to see the answer.
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
}

function brokenOff(): AppError {
  return new AppError('malformed', 'The request broke off.');
}

function tooLarge(limit: number): AppError {
  return new AppError('too_large', `The request body is larger than ${limit} bytes.`);
}

/** Whether a body was announced with at least one byte. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
