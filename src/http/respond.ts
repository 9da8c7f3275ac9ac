import type { ServerResponse } from 'node:http';
import { hasBody, mayBeLarge } from './body.ts';
import { drain } from './drain.ts';
import type { HttpResponse, RequestContext } from './request-context.ts';

/**
 * Writes the answer. Returns whether that was all there is to do for it; else the response tells by `close` that it has
 * gone out, or the client has.
 */
export function respond(response: ServerResponse, ctx: RequestContext, answer: HttpResponse): boolean {
  const { status, body } = answer;
  // Without a body there is no type to guess.
  const headers =
    status === 304
      ? ['X-Request-Id', ctx.id, ...answer.headers]
      : ['X-Request-Id', ctx.id, 'X-Content-Type-Options', 'nosniff', ...answer.headers];
  if (ctx.extraHeaders.length > 0) headers.push(...ctx.extraHeaders);
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    const isSending = hasBody(ctx.request) && !ctx.request.complete;
    // Node would read what is left as fast as it comes.
    if (isSending && mayBeLarge(ctx.request)) response.shouldKeepAlive = false;
    response.writeHead(status, headers);
    if (!response.shouldKeepAlive && isSending) {
      linger(response, ctx, body);
      return true;
    }
    // Node itself leaves the body out of answers to HEAD.
    response.end(body, 'latin1');
    // From here it is the kernel's: a listener for the very end would cost as much as the rest of this function.
    return true;
  }
  response.writeHead(status, headers);
  if (ctx.request.method === 'HEAD') {
    response.end();
    return false;
  }
  // Half an answer must not pass for a whole one.
  body.sendTo(response).catch(() => response.destroy());
  return false;
}

/**
 * Answers a client that is still sending on a connection that ends with this answer. Closing it at once would reset it,
 * and the client would lose the answer unread: it is closed when all has been read, or the request has timed out.
 */
function linger(response: ServerResponse, { request }: RequestContext, body: string | Buffer): void {
  if (request.method === 'HEAD') response.flushHeaders();
  else response.write(body, 'latin1');
  request.once('close', () => response.end());
  if (mayBeLarge(request)) drain(request);
  else request.resume();
}
