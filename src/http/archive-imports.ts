import { RateLimited } from '../errors.ts';
import type { AnswerElsewhere } from './large-requests.ts';
import type { HttpResponse, RequestContext } from './request-context.ts';

/** The limit for all accounts together: each archive is in memory, and its images take minutes. */
export const MAX_CONCURRENT_ARCHIVES = 3;

/** How many bytes they have together, unless one alone has more: to read an old site takes some twelve times its size of memory. */
const MAX_IMPORTED_BYTES = 36 * 1024 * 1024;

/** How many of them fetch images: hosts that answer slowly must not keep those out that take seconds. */
const MAX_FETCHING = MAX_CONCURRENT_ARCHIVES - 1;

/** How long after its import an account leaves the last place for images to others: several times what an import takes. */
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
 * The archives that have been received, and are imported. The last place for images is kept for accounts that have fetched none
 * lately: otherwise those whose old sites are slow could take all places again as soon as they are free.
 */
export class ArchiveRoom {
  #imported = 0;
  #bytes = 0;
  #fetching = 0;
  /** When accounts last ended to fetch images, by `Date.now()`; the earliest comes first. */
  readonly #lastFetched = new Map<number, number>();

  /** @throws RateLimited if there is no room for another one */
  check({ accountId, fetchesImages, bytes }: ReceivedArchive): void {
    const isFull = this.#imported > 0 && this.#bytes + bytes > MAX_IMPORTED_BYTES;
    const places = this.#hasFetchedLately(accountId) ? MAX_FETCHING - 1 : MAX_FETCHING;
    const isBusy = this.#imported >= MAX_CONCURRENT_ARCHIVES || (fetchesImages && this.#fetching >= places);
    if (isFull || isBusy) throw busy();
  }

  /** Returns what gives the room back. @throws RateLimited */
  enter(archive: ReceivedArchive): () => void {
    this.check(archive);
    this.#count(archive, 1);
    return () => {
      this.#count(archive, -1);
      if (archive.fetchesImages) this.#noteFetched(archive.accountId);
    };
  }

  #count({ fetchesImages, bytes }: ReceivedArchive, change: 1 | -1): void {
    this.#imported += change;
    this.#bytes += change * bytes;
    if (fetchesImages) this.#fetching += change;
  }

  #hasFetchedLately(accountId: number): boolean {
    const at = this.#lastFetched.get(accountId);
    return at !== undefined && isLately(at);
  }

  #noteFetched(accountId: number): void {
    this.#lastFetched.delete(accountId);
    this.#lastFetched.set(accountId, Date.now());
    for (const [id, at] of this.#lastFetched) {
      if (isLately(at)) return;
      this.#lastFetched.delete(id);
    }
  }
}

function isLately(at: number): boolean {
  return Date.now() - at < LATELY_MS;
}

function busy(): RateLimited {
  return new RateLimited('Other archives are being imported. Try again.', RETRY_AFTER_SECONDS);
}
