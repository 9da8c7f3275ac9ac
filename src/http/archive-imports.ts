import { RateLimited } from '../errors.ts';
import type { HttpResponse, RequestContext } from './request-context.ts';

/** Of all accounts together: each archive is in memory, and its images take minutes. */
const MAX_CONCURRENT_ARCHIVES = 2;

/** How long a client waits for its answer after it has sent everything. */
const MAX_WAIT_MS = 15 * 60_000;

const RETRY_AFTER_SECONDS = 30;

/** The accounts whose archives are received or imported. */
const underWay = new Set<number>();

/**
 * Answers a request whose body is an archive, which `work` reads: one of an account at a time.
 * @throws RateLimited where another one is under way, before anything of the body is read
 */
export async function receivingArchive(
  accountId: number,
  { request: { socket } }: RequestContext,
  work: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  if (underWay.has(accountId) || underWay.size >= MAX_CONCURRENT_ARCHIVES) {
    throw new RateLimited('Other archives are being imported. Try again.', RETRY_AFTER_SECONDS);
  }
  underWay.add(accountId);
  const { timeout } = socket;
  // Otherwise the server hangs up on a client that has sent everything and waits.
  socket.setTimeout(MAX_WAIT_MS);
  try {
    return await work();
  } finally {
    underWay.delete(accountId);
    socket.setTimeout(timeout ?? 0);
  }
}
