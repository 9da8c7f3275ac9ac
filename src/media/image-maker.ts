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
/** Several times what the largest takes; on a machine that is busy with other things it takes ten times as long. */
const MAX_MAKE: ImageTimeouts = { maxCpuMs: 30_000, maxWallMs: 180_000 };

/** Several times what an image of few pixels takes, unless they are noise: that takes as long as a large one. */
const MAX_SMALL_CPU_MS = 4_000;

/** How long an image may take from the last byte of the upload until it is made or refused. */
export const MAX_IMAGE_MS = MAX_WAIT_MS + MAX_INSPECT.maxWallMs + MAX_MAKE.maxWallMs;

const RETRY_AFTER_SECONDS = 10;

/** For all accounts together; each job has a file of up to 20 MB. */
const MAX_JOBS = 100;

interface Options {
  /** Finds the holder of an account's images, by whom they are counted and take turns: otherwise each account is its own. */
  findHolder?: (accountId: number) => Promise<Holder>;
  maxWaitMs?: number;
  maxMake?: Partial<ImageTimeouts>;
  maxSmallCpuMs?: number;
}

/** An account's images that are processed or waiting; waiting ones leave when the controller aborts. */
interface AccountQueue {
  underWay: number;
  waiting: AbortController;
}

/** One of two queues, with a process of its own. */
class Queue {
  readonly decoder = new ImageDecoder();
  readonly turns = new AccountSemaphore(1, { name: 'images' });
}

/**
 * Prepares uploaded images for the web. It reads the header first and refuses images that would cost too much. Small
 * images never wait for large ones, and accounts take turns in both queues: however many costly images one account
 * sends, another account's image waits for at most one of them. An account counts as one with all customers that it creates, and
 * their customers. A small image that takes long is made anew among the large ones.
 */
export class ImageMaker {
  readonly #small = new Queue();
  readonly #large = new Queue();
  readonly #accounts = new Map<number, AccountQueue>();
  /** Counts the images that are under way. */
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
   * @throws AppError `invalid` for what cannot be shown; `unavailable` when its turn does not come soon enough;
   * `rate_limited` where too many are waiting, or another one of the account's has just taken too long.
   */
  async make(accountId: number, job: ImageJob): Promise<ProcessedImage> {
    const holder = await this.findHolder(accountId);
    if (!this.#jobs.hasRoom(holder, 1)) throw tooMany();
    const own = this.#accounts.getOrInsertComputed(accountId, () => ({ underWay: 0, waiting: new AbortController() }));
    own.underWay += 1;
    this.#jobs.take(holder, 1);
    try {
      return await this.#makeQueued(holder, job, own);
    } finally {
      this.#jobs.giveBack(holder, 1);
      own.underWay -= 1;
      if (own.underWay === 0) this.#accounts.delete(accountId);
    }
  }

  /** Ends the processes; images that are being made fail. */
  close(): void {
    this.#small.decoder.close();
    this.#large.decoder.close();
  }

  async #makeQueued(holder: Holder, job: ImageJob, own: AccountQueue): Promise<ProcessedImage> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(tooBusy()), this.#maxWaitMs);
    const signal = AbortSignal.any([own.waiting.signal, patience.signal]);
    const take = <T>({ turns, decoder }: Queue, work: (decoder: ImageDecoder) => Promise<T>) =>
      turns.run(() => refusingOthers(own, () => work(decoder)), holder, signal);
    try {
      const made = await take(this.#small, async (decoder) => {
        const shape = await decoder.inspect(job, MAX_INSPECT);
        checkLimits(job.kind, shape);
        return isSmall(shape) ? decoder.make(job, this.#maxMakeSmall).catch(unlessTooLong) : undefined;
      });
      return made ?? (await take(this.#large, (decoder) => decoder.make(job, this.#maxMake)));
    } finally {
      clearTimeout(timer);
    }
  }
}

/** If an image takes too long, the account's other ones may as well: they stop waiting. */
async function refusingOthers<T>(own: AccountQueue, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TookTooLong) {
      own.waiting.abort(tooMany());
      own.waiting = new AbortController();
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
