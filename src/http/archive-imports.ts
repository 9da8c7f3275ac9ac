import { RateLimited } from '../errors.ts';
import type { HttpResponse, RequestContext } from './request-context.ts';

/** The limit for all accounts together: each archive is in memory, and its images take minutes. */
export const MAX_CONCURRENT_ARCHIVES = 2;

/** How long a client waits for its answer after it has sent everything. */
const MAX_WAIT_MS = 15 * 60_000;

const RETRY_AFTER_SECONDS = 30;

/** The accounts whose archives are received or imported. */
const underWay = new Set<number>();

/** How many of them have been received, and are imported. */
let imported = 0;

interface ArchiveWork {
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
  { receive, work }: ArchiveWork,
): Promise<HttpResponse> {
  if (underWay.has(accountId)) throw busy();
  checkRoom();
  underWay.add(accountId);
  const { timeout } = socket;
  // Otherwise the server hangs up on a client that has sent everything and waits.
  socket.setTimeout(MAX_WAIT_MS);
  try {
    const archive = await receive();
    checkRoom();
    imported += 1;
    return await work(archive).finally(() => (imported -= 1));
  } finally {
    underWay.delete(accountId);
    socket.setTimeout(timeout ?? 0);
  }
}

/** @throws RateLimited */
function checkRoom(): void {
  if (imported >= MAX_CONCURRENT_ARCHIVES) throw busy();
}

function busy(): RateLimited {
  return new RateLimited('Other archives are being imported. Try again.', RETRY_AFTER_SECONDS);
}
