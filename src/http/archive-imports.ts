import { RateLimited } from '../errors.ts';
import type { HttpResponse, RequestContext } from './request-context.ts';

/** The limit for all accounts together: each archive is in memory, and its images take minutes. */
export const MAX_CONCURRENT_ARCHIVES = 3;

/** How many bytes they have together, unless one alone has more: to read an old site takes some twelve times its size of memory. */
const MAX_IMPORTED_BYTES = 36 * 1024 * 1024;

/** How many of them fetch images: hosts that answer slowly must not keep those out that take seconds. */
const MAX_FETCHING = MAX_CONCURRENT_ARCHIVES - 1;

/** How long a client waits for its answer after it has sent everything. */
const MAX_WAIT_MS = 15 * 60_000;

const RETRY_AFTER_SECONDS = 30;

/** The accounts whose archives are received or imported. */
const underWay = new Set<number>();

interface ArchiveWork {
  /** Whether images are fetched from another system. */
  readonly fetchesImages: boolean;
  /** Reads the body. It may take as long as the client likes: meanwhile, others are imported. */
  readonly receive: () => Promise<Buffer>;
  readonly work: (archive: Buffer) => Promise<HttpResponse>;
}

/**
 * Answers a request whose body is an archive: one of an account at a time.
 * @throws RateLimited where others are imported, if possible before anything of the body is read
 */
export async function receivingArchive(
  accountId: number,
  { request: { socket } }: RequestContext,
  { fetchesImages, receive, work }: ArchiveWork,
): Promise<HttpResponse> {
  if (underWay.has(accountId)) throw busy();
  room.check({ fetchesImages });
  underWay.add(accountId);
  const { timeout } = socket;
  // Otherwise the server hangs up on a client that has sent everything and waits.
  socket.setTimeout(MAX_WAIT_MS);
  try {
    const archive = await receive();
    const leave = room.enter({ fetchesImages, bytes: archive.length });
    return await work(archive).finally(leave);
  } finally {
    underWay.delete(accountId);
    socket.setTimeout(timeout ?? 0);
  }
}

/** The archives that have been received, and are imported. */
export class ArchiveRoom {
  #imported = 0;
  #bytes = 0;
  #fetching = 0;

  /** @throws RateLimited if there is no room for another one */
  check({ fetchesImages, bytes = 0 }: { readonly fetchesImages: boolean; readonly bytes?: number }): void {
    const isFull = this.#imported > 0 && this.#bytes + bytes > MAX_IMPORTED_BYTES;
    const isBusy = this.#imported >= MAX_CONCURRENT_ARCHIVES || (fetchesImages && this.#fetching >= MAX_FETCHING);
    if (isFull || isBusy) throw busy();
  }

  /** Returns what gives the room back. @throws RateLimited */
  enter(archive: { readonly fetchesImages: boolean; readonly bytes: number }): () => void {
    this.check(archive);
    this.#count(archive, 1);
    return () => this.#count(archive, -1);
  }

  #count({ fetchesImages, bytes }: { readonly fetchesImages: boolean; readonly bytes: number }, change: 1 | -1): void {
    this.#imported += change;
    this.#bytes += change * bytes;
    if (fetchesImages) this.#fetching += change;
  }
}

const room = new ArchiveRoom();

function busy(): RateLimited {
  return new RateLimited('Other archives are being imported. Try again.', RETRY_AFTER_SECONDS);
}
