import { type AppError, RateLimited } from '../errors.ts';
import { Refusal } from '../refusal.ts';
import { AccountSemaphore } from '../tenancy/account-semaphore.ts';
import { AccountShares } from '../tenancy/account-shares.ts';
import type { Holder } from '../tenancy/holder.ts';
import { ImageDecoder, type ImageTimeouts, TookTooLong } from './image-decoder.ts';
import { checkLimits, isSmall } from './image-limits.ts';
import type { ImageJob, ProcessedImage } from './make-variants.ts';

const MAX_WAIT_MS = 60_000;
const MAX_INSPECT: ImageTimeouts = { maxCpuMs: 5_000, maxWallMs: 60_000 };
/** Several times as long as the largest image takes. On a busy machine it takes ten times as long. */
const MAX_MAKE: ImageTimeouts = { maxCpuMs: 30_000, maxWallMs: 180_000 };

/** Several times as long as a small image takes, unless it is noise, which takes as long as a large image. */
const MAX_SMALL_CPU_MS = 4_000;

/** The longest time from the last byte of an upload until the image is made or refused. */
export const MAX_IMAGE_MS = MAX_WAIT_MS + MAX_INSPECT.maxWallMs + MAX_MAKE.maxWallMs;

const RETRY_AFTER_SECONDS = 10;

/** The most images of all accounts together that are being made or waiting. Each has a file of up to 20 MB. */
const MAX_JOBS = 100;

interface Options {
  /**
   * Finds the holder of an account's images, by which they are counted and take turns. By default, each account is its own
   * holder.
   */
  findHolder?: (accountId: number) => Promise<Holder>;
  maxWaitMs?: number;
  maxMake?: Partial<ImageTimeouts>;
  maxSmallCpuMs?: number;
}

/** An account's images that are being made or waiting. Waiting images are cancelled when the controller aborts. */
interface AccountQueue {
  underWay: number;
  waiting: AbortController;
}

/** One of the two queues, with its own process. */
class Queue {
  readonly decoder = new ImageDecoder();
  readonly turns = new AccountSemaphore(1, { name: 'images' });
}

/**
 * Prepares uploaded images for the web. It reads the header first and refuses images that are too expensive to decode. Small
 * images never wait for large ones. Accounts take turns in both queues: an image waits for at most one large image of
 * another account, however many that account sends. An account counts as one with all of its customers and their customers.
 * A small image that takes too long is made again in the queue of large ones.
 */
export class ImageMaker {
  readonly #small = new Queue();
  readonly #large = new Queue();
  readonly #accounts = new Map<number, AccountQueue>();
  /** Counts the images that are being made or waiting. */
  readonly #jobs = new AccountShares(MAX_JOBS);
  /** Finds the holder of an account's images, and of the files that they are made of. */
  readonly findHolder: (accountId: number) => Promise<Holder>;
  readonly #maxWaitMs: number;
  readonly #maxMake: ImageTimeouts;
  readonly #maxMakeSmall: ImageTimeouts;

  constructor(options: Options = {}) {
    const { findHolder, maxWaitMs = MAX_WAIT_MS, maxMake, maxSmallCpuMs = MAX_SMALL_CPU_MS } = options;
    this.findHolder = findHolder ?? (async (accountId) => ({ topLevelId: accountId, customerId: accountId }));
    this.#maxWaitMs = maxWaitMs;
    this.#maxMake = { ...MAX_MAKE, ...maxMake };
    this.#maxMakeSmall = { ...this.#maxMake, maxCpuMs: Math.min(maxSmallCpuMs, this.#maxMake.maxCpuMs) };
  }

  /**
   * Makes an image's variants.
   * @throws AppError `invalid` for an image that cannot be shown; `unavailable` if it waits too long for its turn;
   * `rate_limited` if too many images are waiting, or another image of the account has just taken too long.
   */
  async make(accountId: number, job: ImageJob): Promise<ProcessedImage> {
    const holder = await this.findHolder(accountId);
    if (!this.#jobs.hasRoom(holder, 1)) throw tooMany();
    const queue = this.#accounts.getOrInsertComputed(accountId, () => ({
      underWay: 0,
      waiting: new AbortController(),
    }));
    queue.underWay += 1;
    this.#jobs.take(holder, 1);
    try {
      return await this.#makeQueued(holder, job, queue);
    } finally {
      this.#jobs.giveBack(holder, 1);
      queue.underWay -= 1;
      if (queue.underWay === 0) this.#accounts.delete(accountId);
    }
  }

  /** Ends the processes. Images that are being made fail. */
  close(): void {
    this.#small.decoder.close();
    this.#large.decoder.close();
  }

  async #makeQueued(holder: Holder, job: ImageJob, queue: AccountQueue): Promise<ProcessedImage> {
    const waitLimit = new AbortController();
    const timer = setTimeout(() => waitLimit.abort(tooBusy()), this.#maxWaitMs);
    const signal = AbortSignal.any([queue.waiting.signal, waitLimit.signal]);
    const runInQueue = <T>({ turns, decoder }: Queue, work: (decoder: ImageDecoder) => Promise<T>) =>
      turns.run(() => cancelOthersIfTooLong(queue, () => work(decoder)), holder, signal);
    try {
      const made = await runInQueue(this.#small, async (decoder) => {
        const shape = await decoder.inspect(job, MAX_INSPECT);
        checkLimits(job.kind, shape);
        return isSmall(shape) ? decoder.make(job, this.#maxMakeSmall).catch(unlessTooLong) : undefined;
      });
      return made ?? (await runInQueue(this.#large, (decoder) => decoder.make(job, this.#maxMake)));
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Cancels the account's waiting images if this one takes too long, since the others may as well. */
async function cancelOthersIfTooLong<T>(queue: AccountQueue, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TookTooLong) {
      queue.waiting.abort(tooMany());
      queue.waiting = new AbortController();
    }
    throw error;
  }
}

function unlessTooLong(error: unknown): undefined {
  if (!(error instanceof TookTooLong)) throw error;
}

function tooMany(): AppError {
  return new RateLimited('Too many images are being uploaded at once. Try again in a moment.', RETRY_AFTER_SECONDS);
}

function tooBusy(): AppError {
  return new Refusal('unavailable', { reason: 'images_busy' });
}
