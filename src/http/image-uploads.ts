import { RateLimited } from '../errors.ts';
import { MAX_IMAGE_MS } from '../media/image-maker.ts';
import { sendContinue } from './continue.ts';
import type { HttpResponse, RequestContext } from './request-context.ts';

/** The limit for one account. Further uploads are refused and have to be retried. */
const MAX_CONCURRENT_UPLOADS = 6;

/** The longest that a client waits, after its image is made, for the image to be stored and recorded in the database. */
const COMMIT_TIMEOUT_MS = 60_000;

const RETRY_AFTER_SECONDS = 10;

/** The number of current uploads of each account. */
const underWay = new Map<number, number>();

/**
 * Answers a request that uploads an image, which `work` reads from the body.
 * @throws RateLimited if the account has too many current uploads
 */
export async function receivingImage(
  accountId: number,
  { request }: RequestContext,
  work: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const count = underWay.get(accountId) ?? 0;
  if (count >= MAX_CONCURRENT_UPLOADS) {
    throw new RateLimited('Too many images are being uploaded at once. Try again in a moment.', RETRY_AFTER_SECONDS);
  }
  underWay.set(accountId, count + 1);
  sendContinue(request);
  const { socket } = request;
  const { timeout } = socket;
  // Otherwise the server would close the connection of a client that has sent everything and waits for the answer.
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
