import { RateLimited } from '../errors.ts';
import type { FairnessKey } from '../fair-semaphore.ts';
import type { FindHolder, Holder } from '../tenancy/holder.ts';
import type { AnswerInThread } from './large-requests.ts';
import type { HttpResponse, RequestContext } from './request-context.ts';

/** The limit for all accounts together: each archive is held in memory, and fetching its images takes minutes. */
export const MAX_CONCURRENT_ARCHIVES = 4;

/**
 * The most bytes that imported archives hold together, unless a single one is larger: two bodies of the default maximum
 * size. Reading an old site takes some twelve times its size in memory.
 */
const MAX_IMPORTED_BYTES = 40 * 1024 * 1024;

/**
 * The time after an import in which an account leaves the last slot, and half of the bytes, to other accounts. It is several
 * times as long as an import takes.
 */
const RECENT_IMPORT_MS = 30 * 60_000;

/** The longest that a client waits for its answer after it has sent everything. */
const MAX_WAIT_MS = 15 * 60_000;

const RETRY_AFTER_SECONDS = 30;

interface ArchiveToReceive extends Pick<ReceivedArchive, 'fetchesImages'> {
  readonly surface: Parameters<AnswerInThread>[0];
  readonly findHolder: FindHolder;
  /** Reads the body. A slow client holds nobody up: other archives are imported meanwhile. */
  readonly receive: () => Promise<Buffer>;
}

/** Answers requests whose body is an archive. */
export class ArchiveImports {
  readonly #answer: AnswerInThread;
  readonly #limiter = new ArchiveLimiter();
  /** The accounts with an archive that is being received or imported. */
  readonly #underWay = new Set<number>();

  constructor(answer: AnswerInThread) {
    this.#answer = answer;
  }

  /**
   * Receives an archive and has it imported. An account can import one archive at a time.
   * @throws RateLimited if other imports take up all slots; if possible, before any of the body is read
   */
  async answer(
    accountId: number,
    ctx: RequestContext,
    { surface, findHolder, fetchesImages, receive }: ArchiveToReceive,
  ): Promise<HttpResponse> {
    const holder = await findHolder();
    if (this.#underWay.has(accountId)) throw busy();
    this.#limiter.check(holder, { fetchesImages, bytes: 0 });
    this.#underWay.add(accountId);
    const { socket } = ctx.request;
    const { timeout } = socket;
    // Otherwise the server would close the connection of a client that has sent everything and waits for the answer.
    socket.setTimeout(MAX_WAIT_MS);
    try {
      const archive = await receive();
      const release = this.#limiter.acquire(holder, { fetchesImages, bytes: archive.length });
      return await this.#answer(surface, ctx, archive).finally(release);
    } finally {
      this.#underWay.delete(accountId);
      socket.setTimeout(timeout ?? 0);
    }
  }
}

interface ReceivedArchive {
  /** True if the import fetches images from another system. */
  readonly fetchesImages: boolean;
  readonly bytes: number;
}

/** Limits the archives that are imported at once: of all top-level accounts together, and of each one. */
export class ArchiveLimiter {
  readonly #ofTopLevels = new LevelLimiter({ slots: MAX_CONCURRENT_ARCHIVES, bytes: MAX_IMPORTED_BYTES });
  /** Never pruned: top-level accounts are few, as the operator sets them up. */
  readonly #byTopLevel = new Map<FairnessKey, LevelLimiter>();

  /** @throws RateLimited if the archive cannot be imported now */
  check({ topLevelId, customerId }: Holder, archive: ReceivedArchive): void {
    this.#ofTopLevels.check(topLevelId, archive);
    this.#limiterWithin(topLevelId).check(customerId, archive);
  }

  /** Takes a slot and returns a function that gives it back. @throws RateLimited */
  acquire(holder: Holder, archive: ReceivedArchive): () => void {
    this.check(holder, archive);
    const { topLevelId, customerId } = holder;
    const releaseAll = this.#ofTopLevels.acquire(topLevelId, archive);
    const releaseOwn = this.#limiterWithin(topLevelId).acquire(customerId, archive);
    return () => {
      releaseAll();
      releaseOwn();
    };
  }

  #limiterWithin(topLevelId: FairnessKey): LevelLimiter {
    const capacity = { slots: MAX_CONCURRENT_ARCHIVES - 1, bytes: MAX_IMPORTED_BYTES / 2 };
    return this.#byTopLevel.getOrInsertComputed(topLevelId, () => new LevelLimiter(capacity));
  }
}

/**
 * Limits how many archives are imported at once at one level: by all top-level accounts, or by the customers of one account.
 * The last slot and half of the bytes are reserved for accounts without a recent import. The last slot for images is reserved
 * for accounts that have not fetched any recently. Otherwise accounts with slow archives could take every slot again as soon
 * as it is free.
 */
export class LevelLimiter {
  readonly #capacity: Capacity;
  /** The most imports that may fetch images at once. Slow image hosts must not keep out imports that take only seconds. */
  readonly #maxFetching: number;
  readonly #used: Capacity = { slots: 0, bytes: 0 };
  /** The part of `#used` that was taken by keys with an earlier recent import. */
  readonly #usedByRecent: Capacity = { slots: 0, bytes: 0 };
  /** The bytes of running imports that are their key's first: it had no recent import when they began. */
  readonly #firstImportBytes = new Map<FairnessKey, number>();
  /** The number of imports that are fetching images. */
  #fetching = 0;
  readonly #recentImports = new RecentKeys();
  readonly #recentFetches = new RecentKeys();

  constructor(capacity: Capacity) {
    this.#capacity = capacity;
    this.#maxFetching = capacity.slots - 1;
  }

  /** @throws RateLimited if the archive cannot be imported now */
  check(key: FairnessKey, { fetchesImages, bytes }: ReceivedArchive): void {
    const maxFetching = this.#recentFetches.has(key) ? this.#maxFetching - 1 : this.#maxFetching;
    const hasRoom =
      fits(bytes, this.#used, this.#capacity) &&
      (!this.#recentImports.has(key) || this.#hasRoomForRecent(key, bytes)) &&
      (!fetchesImages || this.#fetching < maxFetching);
    if (!hasRoom) throw busy();
  }

  /** Takes a slot and returns a function that gives it back. @throws RateLimited */
  acquire(key: FairnessKey, archive: ReceivedArchive): () => void {
    this.check(key, archive);
    const { fetchesImages, bytes } = archive;
    const isFirst = !this.#recentImports.has(key);
    const usages = isFirst ? [this.#used] : [this.#used, this.#usedByRecent];
    const count = (change: 1 | -1) => {
      for (const usage of usages) {
        usage.slots += change;
        usage.bytes += change * bytes;
      }
      if (fetchesImages) this.#fetching += change;
      this.#recentImports.record(key);
      if (fetchesImages) this.#recentFetches.record(key);
    };
    count(1);
    if (isFirst) this.#firstImportBytes.set(key, bytes);
    return () => {
      count(-1);
      if (isFirst) this.#firstImportBytes.delete(key);
    };
  }

  /**
   * Returns true if an import by a key with a recent import leaves the last slot and half of the bytes to other keys. Counts
   * what all such keys use. The key's own first import counts, too, if it is still running.
   */
  #hasRoomForRecent(key: FairnessKey, bytes: number): boolean {
    const { slots, bytes: maxBytes } = this.#capacity;
    const ownFirst = this.#firstImportBytes.get(key);
    const used = {
      slots: this.#usedByRecent.slots + (ownFirst === undefined ? 0 : 1),
      bytes: this.#usedByRecent.bytes + (ownFirst ?? 0),
    };
    return fits(bytes, used, { slots: slots - 1, bytes: maxBytes / 2 });
  }
}

interface Capacity {
  slots: number;
  bytes: number;
}

/** Returns true if a slot is free and the bytes fit. A single archive may be larger than the capacity. */
function fits(bytes: number, used: Capacity, capacity: Capacity): boolean {
  return used.slots < capacity.slots && (used.slots === 0 || used.bytes + bytes <= capacity.bytes);
}

/** The keys that have started or finished something recently. */
class RecentKeys {
  /** When each key last started or finished, by `Date.now()`; the earliest comes first. */
  readonly #times = new Map<FairnessKey, number>();

  has(key: FairnessKey): boolean {
    const at = this.#times.get(key);
    return at !== undefined && isRecent(at);
  }

  record(key: FairnessKey): void {
    this.#times.delete(key);
    this.#times.set(key, Date.now());
    for (const [oldest, at] of this.#times) {
      if (isRecent(at)) return;
      this.#times.delete(oldest);
    }
  }
}

function isRecent(at: number): boolean {
  return Date.now() - at < RECENT_IMPORT_MS;
}

function busy(): RateLimited {
  return new RateLimited('Other archives are being imported. Try again.', RETRY_AFTER_SECONDS);
}
