import { RateLimited } from '../errors.ts';
import { MAX_IMAGE_MS } from '../media/image-maker.ts';
import { sendContinue } from './continue.ts';
import type { HttpResponse, RequestContext } from './request-context.ts';

/** The limit for one account. Further uploads have to be sent again. */
const MAX_CONCURRENT_UPLOADS = 6;

/** How long a client waits after its image is made: until it is in the store, and in the database. */
const COMMIT_TIMEOUT_MS = 60_000;

const RETRY_AFTER_SECONDS = 10;

/** Counts the uploads that are under way. */
const underWay = new Map<number, number>();

/**
 * Answers a request whose body has an image, which `work` reads.
 * @throws RateLimited where too many of the account's are under way.
 */
export async function receivingImage(
  accountId: number,
  { request }: RequestContext,
  work: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const count = underWay.get(accountId) ?? 0;
  if (count >= MAX_CONCURRENT_UPLOADS) {
    throw new RateLimited('Too many images are being uploaded at once.', RETRY_AFTER_SECONDS);
  }
  underWay.set(accountId, count + 1);
  sendContinue(request);
  const { socket } = request;
  const { timeout } = socket;
  // Otherwise the server hangs up on a client that has sent everything and waits.
  const wait = () => socket.setTimeout(MAX_IMAGE_MS + COMMIT_TIMEOUT_MS);
  if (request.complete) wait();
  else request.once('end', wait);
  try {
    return await work();
  } finally {
    socket.setTimeout(timeout ?? 0);
    const left = underWay.get(accountId)! - 1;
    if (left > 0) underWay.set(accountId, left);
    else underWay.delete(accountId);
  }
}
