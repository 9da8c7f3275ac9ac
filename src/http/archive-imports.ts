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

/** How many of them have been received, and are imported. */
let imported = 0;
let importedBytes = 0;
/** How many of those fetch images. */
let fetching = 0;

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
  checkRoom(fetchesImages);
  underWay.add(accountId);
  const { timeout } = socket;
  // Otherwise the server hangs up on a client that has sent everything and waits.
  socket.setTimeout(MAX_WAIT_MS);
  try {
    const archive = await receive();
    checkRoom(fetchesImages, archive.length);
    count(fetchesImages, 1, archive.length);
    return await work(archive).finally(() => count(fetchesImages, -1, -archive.length));
  } finally {
    underWay.delete(accountId);
    socket.setTimeout(timeout ?? 0);
  }
}

/** @throws RateLimited */
function checkRoom(fetchesImages: boolean, bytes = 0): void {
  const isFull = imported > 0 && importedBytes + bytes > MAX_IMPORTED_BYTES;
  if (isFull || imported >= MAX_CONCURRENT_ARCHIVES || (fetchesImages && fetching >= MAX_FETCHING)) throw busy();
}

function count(fetchesImages: boolean, change: 1 | -1, bytes: number): void {
  imported += change;
  importedBytes += bytes;
  if (fetchesImages) fetching += change;
}

function busy(): RateLimited {
  return new RateLimited('Other archives are being imported. Try again.', RETRY_AFTER_SECONDS);
}
