import type { IncomingMessage } from 'node:http';
import type { Config } from '../config.ts';
import type { ArrivedRequest } from './batch-requests.ts';
import type { AnsweredRequest } from './batch-responses.ts';
import { clientOf } from './client.ts';
import type { HttpResponse, RequestContext } from './request-context.ts';
import { requestId, requestTrace, type Sampler, samplerOf } from './request-id.ts';
import { endsConnection, MAX_PLAIN_URL_BYTES, type RequestProblem, requestProblem } from './request-problem.ts';
import { splitTarget } from './target.ts';

export interface AnswerOptions {
  readonly config: Config;
  /** Returns whether a URL may have `maxUrlBytes`. Called only for URLs longer than `MAX_PLAIN_URL_BYTES`. */
  readonly mayHaveLongUrl: (request: IncomingMessage, path: string) => boolean;
  /** Returns the response to every request. */
  readonly handler: (ctx: RequestContext) => HttpResponse | Promise<HttpResponse>;
  /** Returns the response to an error that the handler threw. */
  readonly failureOf: (error: unknown, ctx: RequestContext) => HttpResponse;
  /** Returns the response to bytes that could not be parsed as a request. */
  readonly failure: (status: number, message: string, headers?: readonly string[]) => HttpResponse;
}

/** Returns a function that passes a well-formed request to the handler, and the handler's answer to `send`. */
export function requestAnswerer(options: AnswerOptions, send: (answered: AnsweredRequest) => void) {
  const { failureOf } = options;
  const contextOptions = { config: options.config, isSampled: samplerOf(options.config) };
  return ({ request, response, at }: ArrivedRequest): void => {
    const problem = problemOf(request, options);
    const ctx = contextOf(request, problem, contextOptions);
    // The client has reset the connection, so its address is unknown and no answer can reach it.
    if (ctx.ip === '') {
      request.socket.destroy();
      return;
    }
    if (endsConnection(request)) response.shouldKeepAlive = false;
    const done = (answer: HttpResponse) => send({ ctx, response, at, answer });
    const answer = answerTo(ctx, problem, options);
    if (answer instanceof Promise) void answer.then(done, (error) => done(failureOf(error, ctx)));
    else done(answer);
  };
}

function problemOf(request: IncomingMessage, { config, mayHaveLongUrl }: AnswerOptions): RequestProblem | undefined {
  const { url = '/' } = request;
  const mayBeLong = url.length > MAX_PLAIN_URL_BYTES && mayHaveLongUrl(request, splitTarget(url).path);
  return requestProblem(request, mayBeLong ? config.maxUrlBytes : MAX_PLAIN_URL_BYTES);
}

function contextOf(
  request: IncomingMessage,
  problem: RequestProblem | undefined,
  { config, isSampled }: Pick<AnswerOptions, 'config'> & { readonly isSampled: Sampler | undefined },
): RequestContext {
  const { path, query } = splitTarget(request.url ?? '/');
  // Headers that are too long are not parsed: reading them would be slow.
  const { ip, isHttps } = clientOf(request, problem?.status === 431 ? undefined : config.trustProxy);
  const trace = requestTrace(request, isSampled);
  return {
    request,
    id: requestId(request, trace),
    trace,
    path,
    query,
    ip,
    isHttps,
    extraHeaders: [],
    route: '',
    keyOwner: undefined,
    sessionOwner: undefined,
    siteAccountId: undefined,
  };
}

function answerTo(
  ctx: RequestContext,
  problem: RequestProblem | undefined,
  { handler, failure, failureOf }: AnswerOptions,
): HttpResponse | Promise<HttpResponse> {
  if (problem) return failure(problem.status, problem.message);
  try {
    return handler(ctx);
  } catch (error) {
    return failureOf(error, ctx);
  }
}
