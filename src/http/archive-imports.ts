import { RateLimited } from '../errors.ts';
import type { AnswerElsewhere } from './large-requests.ts';
import type { HttpResponse, RequestContext } from './request-context.ts';

/** The limit for all accounts together: each archive is in memory, and its images take minutes. */
export const MAX_CONCURRENT_ARCHIVES = 3;

/**
 * How many bytes they have together, unless one alone has more: two of the largest bodies that are taken by default. To read an old site
 * takes some twelve times its size of memory.
 */
const MAX_IMPORTED_BYTES = 40 * 1024 * 1024;

/** How many of them fetch images: hosts that answer slowly must not keep those out that take seconds. */
const MAX_FETCHING = MAX_CONCURRENT_ARCHIVES - 1;

/** How long after its import an account leaves the last place, and half of the bytes, to others: several times what an import takes. */
const LATELY_MS = 30 * 60_000;

/** How long a client waits for its answer after it has sent everything. */
const MAX_WAIT_MS = 15 * 60_000;

const RETRY_AFTER_SECONDS = 30;

interface ArchiveToReceive {
  readonly surface: Parameters<AnswerElsewhere>[0];
  /** Whether images are fetched from another system. */
  readonly fetchesImages: boolean;
  /** Reads the body. It may take as long as the client likes: meanwhile, others are imported. */
  readonly receive: () => Promise<Buffer>;
}

/** Answers requests whose bodies are archives. */
export class ArchiveImports {
  readonly #answer: AnswerElsewhere;
  readonly #room = new ArchiveRoom();
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
    { surface, fetchesImages, receive }: ArchiveToReceive,
  ): Promise<HttpResponse> {
    if (this.#underWay.has(accountId)) throw busy();
    this.#room.check({ accountId, fetchesImages, bytes: 0 });
    this.#underWay.add(accountId);
    const { socket } = ctx.request;
    const { timeout } = socket;
    // Otherwise the server hangs up on a client that has sent everything and waits.
    socket.setTimeout(MAX_WAIT_MS);
    try {
      const archive = await receive();
      const leave = this.#room.enter({ accountId, fetchesImages, bytes: archive.length });
      return await this.#answer(surface, ctx, archive).finally(leave);
    } finally {
      this.#underWay.delete(accountId);
      socket.setTimeout(timeout ?? 0);
    }
  }
}

interface ReceivedArchive {
  readonly accountId: number;
  readonly fetchesImages: boolean;
  readonly bytes: number;
}

/**
 * The archives that have been received, and are imported. The last place and half of the bytes are kept for accounts that have imported
 * none lately, and the last place for images for those that have fetched none: otherwise those whose archives take minutes could take
 * everything again as soon as it is free.
 */
export class ArchiveRoom {
  readonly #all: Taken = { places: 0, bytes: 0 };
  /** The part of it that accounts have which had imported lately when they came. */
  readonly #again: Taken = { places: 0, bytes: 0 };
  #fetching = 0;
  readonly #imported = new RecentAccounts();
  readonly #fetched = new RecentAccounts();

  /** @throws RateLimited if there is no room for another one */
  check({ accountId, fetchesImages, bytes }: ReceivedArchive): void {
    const placesForImages = this.#fetched.has(accountId) ? MAX_FETCHING - 1 : MAX_FETCHING;
    const hasRoom =
      fits(bytes, this.#all, { places: MAX_CONCURRENT_ARCHIVES, bytes: MAX_IMPORTED_BYTES }) &&
      (!this.#imported.has(accountId) ||
        fits(bytes, this.#again, { places: MAX_CONCURRENT_ARCHIVES - 1, bytes: MAX_IMPORTED_BYTES / 2 })) &&
      (!fetchesImages || this.#fetching < placesForImages);
    if (!hasRoom) throw busy();
  }

  /** Returns what gives the room back. @throws RateLimited */
  enter(archive: ReceivedArchive): () => void {
    this.check(archive);
    const { accountId, fetchesImages, bytes } = archive;
    const parts = this.#imported.has(accountId) ? [this.#all, this.#again] : [this.#all];
    const count = (change: 1 | -1) => {
      for (const part of parts) {
        part.places += change;
        part.bytes += change * bytes;
      }
      if (fetchesImages) this.#fetching += change;
    };
    count(1);
    return () => {
      count(-1);
      this.#imported.note(accountId);
      if (fetchesImages) this.#fetched.note(accountId);
    };
  }
}

interface Taken {
  places: number;
  bytes: number;
}

function fits(bytes: number, taken: Taken, most: Taken): boolean {
  return taken.places < most.places && (taken.places === 0 || taken.bytes + bytes <= most.bytes);
}

/** The accounts for which something has ended lately. */
class RecentAccounts {
  /** When it did, by `Date.now()`; the earliest comes first. */
  readonly #times = new Map<number, number>();

  has(accountId: number): boolean {
    const at = this.#times.get(accountId);
    return at !== undefined && isLately(at);
  }

  note(accountId: number): void {
    this.#times.delete(accountId);
    this.#times.set(accountId, Date.now());
    for (const [id, at] of this.#times) {
      if (isLately(at)) return;
      this.#times.delete(id);
    }
  }
}

function isLately(at: number): boolean {
  return Date.now() - at < LATELY_MS;
}

function busy(): RateLimited {
  return new RateLimited('Other archives are being imported. Try again.', RETRY_AFTER_SECONDS);
}
