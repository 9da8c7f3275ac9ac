import type { ServerResponse } from 'node:http';
import { hasBody, mayBeLarge } from './body.ts';
import { drain } from './drain.ts';
import type { HttpResponse, RequestContext } from './request-context.ts';

/**
 * Writes the answer. Returns true if nothing is left to do for it. Otherwise the response emits `close` when the answer has
 * been sent or the client has disconnected.
 */
export function respond(response: ServerResponse, ctx: RequestContext, answer: HttpResponse): boolean {
  const { status, body } = answer;
  // A 304 has no body, so there is no type to guess.
  const headers =
    status === 304
      ? ['X-Request-Id', ctx.id, ...answer.headers]
      : ['X-Request-Id', ctx.id, 'X-Content-Type-Options', 'nosniff', ...answer.headers];
  if (ctx.extraHeaders.length > 0) headers.push(...ctx.extraHeaders);
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    const isSending = hasBody(ctx.request) && !ctx.request.complete;
    // Node would read the rest of the body as fast as it arrives.
    if (isSending && mayBeLarge(ctx.request)) response.shouldKeepAlive = false;
    response.writeHead(status, headers);
    if (!response.shouldKeepAlive && isSending) {
      linger(response, ctx, body);
      return true;
    }
    // Node itself leaves the body out of answers to HEAD.
    response.end(body, 'latin1');
    // The kernel does the rest: a listener for the very end would cost as much as the rest of this function.
    return true;
  }
  response.writeHead(status, headers);
  if (ctx.request.method === 'HEAD') {
    response.end();
    return false;
  }
  // An incomplete answer must not look complete.
  body.sendTo(response).catch(() => response.destroy());
  return false;
}

/**
 * Answers a client that is still sending, on a connection that ends with this answer. Closing it at once would reset it, and
 * the client would lose the answer. It is closed when everything has been read, or the request has timed out.
 */
function linger(response: ServerResponse, { request }: RequestContext, body: string | Buffer): void {
  if (request.method === 'HEAD') response.flushHeaders();
  else response.write(body, 'latin1');
  request.once('close', () => response.end());
  if (mayBeLarge(request)) drain(request);
  else request.resume();
}
