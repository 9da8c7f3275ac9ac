import { RateLimited } from '../errors.ts';
import type { FairnessKey } from '../fair-semaphore.ts';
import type { FindHolder, Holder } from '../tenancy/holder.ts';
import type { AnswerElsewhere } from './large-requests.ts';
import type { HttpResponse, RequestContext } from './request-context.ts';

/** The limit for all accounts together: each archive is in memory, and its images take minutes. */
export const MAX_CONCURRENT_ARCHIVES = 4;

/**
 * How many bytes they have together, unless one alone has more: two of the largest bodies that are taken by default. To read an old site
 * takes some twelve times its size of memory.
 */
const MAX_IMPORTED_BYTES = 40 * 1024 * 1024;

/** How long somebody who has imported leaves the last place, and half of the bytes, to others: several times what an import takes. */
const LATELY_MS = 30 * 60_000;

/** How long a client waits for its answer after it has sent everything. */
const MAX_WAIT_MS = 15 * 60_000;

const RETRY_AFTER_SECONDS = 30;

interface ArchiveToReceive extends Pick<ReceivedArchive, 'fetchesImages'> {
  readonly surface: Parameters<AnswerElsewhere>[0];
  readonly findHolder: FindHolder;
  /** Reads the body. It may take as long as the client likes: meanwhile, others are imported. */
  readonly receive: () => Promise<Buffer>;
}

/** Answers requests whose bodies are archives. */
export class ArchiveImports {
  readonly #answer: AnswerElsewhere;
  readonly #rooms = new ArchiveRooms();
  /** The accounts whose archives are received or imported. */
  readonly #underWay = new Set<number>();

  constructor(answer: AnswerElsewhere) {
    this.#answer = answer;
  }

  /**
   * Receives an archive, and has it imported: one of an account at a time.
   * @throws RateLimited where others are imported, if possible before anything of the body is read
   */
  async answer(
    accountId: number,
    ctx: RequestContext,
    { surface, findHolder, fetchesImages, receive }: ArchiveToReceive,
  ): Promise<HttpResponse> {
    const holder = await findHolder();
    if (this.#underWay.has(accountId)) throw busy();
    this.#rooms.check(holder, { fetchesImages, bytes: 0 });
    this.#underWay.add(accountId);
    const { socket } = ctx.request;
    const { timeout } = socket;
    // Otherwise the server hangs up on a client that has sent everything and waits.
    socket.setTimeout(MAX_WAIT_MS);
    try {
      const archive = await receive();
      const leave = this.#rooms.enter(holder, { fetchesImages, bytes: archive.length });
      return await this.#answer(surface, ctx, archive).finally(leave);
    } finally {
      this.#underWay.delete(accountId);
      socket.setTimeout(timeout ?? 0);
    }
  }
}

interface ReceivedArchive {
  /** Whether images are fetched from another system. */
  readonly fetchesImages: boolean;
  readonly bytes: number;
}

/** Counts the archives that are being imported: all of them, and those of each top-level account. */
export class ArchiveRooms {
  readonly #all = new ArchiveRoom({ places: MAX_CONCURRENT_ARCHIVES, bytes: MAX_IMPORTED_BYTES });
  /** Top-level accounts are few: the operator sets them up. */
  readonly #within = new Map<FairnessKey, ArchiveRoom>();

  /** @throws RateLimited if there is no room for another one */
  check({ topLevelId, customerId }: Holder, archive: ReceivedArchive): void {
    this.#all.check(topLevelId, archive);
    this.#roomOf(topLevelId).check(customerId, archive);
  }

  /** Returns what gives the room back. @throws RateLimited */
  enter(holder: Holder, archive: ReceivedArchive): () => void {
    this.check(holder, archive);
    const { topLevelId, customerId } = holder;
    const leaveAll = this.#all.enter(topLevelId, archive);
    const leaveOwn = this.#roomOf(topLevelId).enter(customerId, archive);
    return () => {
      leaveAll();
      leaveOwn();
    };
  }

  #roomOf(topLevelId: FairnessKey): ArchiveRoom {
    const size = { places: MAX_CONCURRENT_ARCHIVES - 1, bytes: MAX_IMPORTED_BYTES / 2 };
    return this.#within.getOrInsertComputed(topLevelId, () => new ArchiveRoom(size));
  }
}

/**
 * Limits how many archives are imported at once: those of all top-level accounts, or those of one account's customers. The last place and
 * half of the bytes are for accounts that have not imported lately, and the last place for images is for those that have not fetched any.
 * Otherwise accounts with slow archives could take every place again as soon as it is free.
 */
export class ArchiveRoom {
  readonly #size: Size;
  /** How many may fetch images: hosts that answer slowly must not keep those out that take seconds. */
  readonly #maxFetching: number;
  readonly #all: Size = { places: 0, bytes: 0 };
  /** The part of it that keys have which had imported lately when they came. */
  readonly #again: Size = { places: 0, bytes: 0 };
  /** How many bytes keys have that had imported none when they came. */
  readonly #first = new Map<FairnessKey, number>();
  #fetching = 0;
  readonly #imported = new RecentKeys();
  readonly #fetched = new RecentKeys();

  constructor(size: Size) {
    this.#size = size;
    this.#maxFetching = size.places - 1;
  }

  /** @throws RateLimited if there is no room for another one */
  check(key: FairnessKey, { fetchesImages, bytes }: ReceivedArchive): void {
    const placesForImages = this.#fetched.has(key) ? this.#maxFetching - 1 : this.#maxFetching;
    const hasRoom =
      fits(bytes, this.#all, this.#size) &&
      (!this.#imported.has(key) || this.#hasRoomAgain(key, bytes)) &&
      (!fetchesImages || this.#fetching < placesForImages);
    if (!hasRoom) throw busy();
  }

  /** Returns what gives the room back. @throws RateLimited */
  enter(key: FairnessKey, archive: ReceivedArchive): () => void {
    this.check(key, archive);
    const { fetchesImages, bytes } = archive;
    const isFirst = !this.#imported.has(key);
    const parts = isFirst ? [this.#all] : [this.#all, this.#again];
    const count = (change: 1 | -1) => {
      for (const part of parts) {
        part.places += change;
        part.bytes += change * bytes;
      }
      if (fetchesImages) this.#fetching += change;
      this.#imported.note(key);
      if (fetchesImages) this.#fetched.note(key);
    };
    count(1);
    if (isFirst) this.#first.set(key, bytes);
    return () => {
      count(-1);
      if (isFirst) this.#first.delete(key);
    };
  }

  #hasRoomAgain(key: FairnessKey, bytes: number): boolean {
    const { places, bytes: most } = this.#size;
    const first = this.#first.get(key);
    const taken = {
      places: this.#again.places + (first === undefined ? 0 : 1),
      bytes: this.#again.bytes + (first ?? 0),
    };
    return fits(bytes, taken, { places: places - 1, bytes: most / 2 });
  }
}

interface Size {
  places: number;
  bytes: number;
}

function fits(bytes: number, taken: Size, most: Size): boolean {
  return taken.places < most.places && (taken.places === 0 || taken.bytes + bytes <= most.bytes);
}

/** The keys for which something has begun or ended lately. */
class RecentKeys {
  /** When it did, by `Date.now()`; the earliest comes first. */
  readonly #times = new Map<FairnessKey, number>();

  has(key: FairnessKey): boolean {
    const at = this.#times.get(key);
    return at !== undefined && isLately(at);
  }

  note(key: FairnessKey): void {
    this.#times.delete(key);
    this.#times.set(key, Date.now());
    for (const [oldest, at] of this.#times) {
      if (isLately(at)) return;
      this.#times.delete(oldest);
    }
  }
}

function isLately(at: number): boolean {
  return Date.now() - at < LATELY_MS;
}

function busy(): RateLimited {
  return new RateLimited('Other archives are being imported. Try again.', RETRY_AFTER_SECONDS);
}
