import { AppError } from '../../errors.ts';
import { receivingImage } from '../image-uploads.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';

/**
 * Answers a request whose body is an image, which `work` reads.
 * @throws AppError `malformed`; `rate_limited` if the account has too many uploads under way.
 */
export async function withImageBody(
  accountId: number,
  ctx: RequestContext,
  work: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  // Forms of other sites cannot send this type. The image format is recognized by the content.
  if (ctx.request.headers['content-type'] !== 'application/octet-stream') {
    throw new AppError('malformed', 'The body must be application/octet-stream.');
  }
  return receivingImage(accountId, ctx, work);
}
