import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { clientOf, network, peerOf } from './client.ts';
import { connectionLimit } from './connection-limit.ts';
import { deferContinue } from './continue.ts';
import { createServer as createHttpServer } from './node-http.ts';
import { trackPendingHeads } from './pending-heads.ts';
import { closeWithResponse, parserError, type RejectedRequest } from './rejected-request.ts';
import type { HttpResponse, RequestContext } from './request-context.ts';
import { requestedId, requestIds } from './request-id.ts';
import { MAX_HEADER_BYTES, MAX_PLAIN_URL_BYTES, type RequestProblem, requestProblem } from './request-problem.ts';
import { respond } from './respond.ts';
import { serializePipelined } from './serialize-pipelined.ts';
import { splitTarget } from './target.ts';

export interface HttpServerOptions {
  readonly config: Config;
  /** Tells whether a URL may have `maxUrlBytes`. Asked only where it has more than every URL may. */
  readonly mayHaveLongUrl: (request: IncomingMessage, path: string) => boolean;
  /** Returns the response to every request. */
  readonly handler: (ctx: RequestContext) => HttpResponse | Promise<HttpResponse>;
  /** Returns the response to an error that the handler threw. */
  readonly failureOf: (error: unknown, ctx: RequestContext) => HttpResponse;
  /** Answers what could not even be read as a request. */
  readonly failure: (status: number, message: string, headers?: readonly string[]) => HttpResponse;
  /** Told of every answer when it is done with, and how long it took. */
  readonly onAnswered: (ctx: RequestContext, response: ServerResponse, milliseconds: number) => void;
  /** Told of every answer to what was no request that could be handed on. */
  readonly onRefused: (refusal: RejectedRequest) => void;
}

interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** By `performance.now()`. */
  readonly at: number;
}

interface Answered {
  readonly ctx: RequestContext;
  readonly response: ServerResponse;
  readonly at: number;
  readonly answer: HttpResponse;
}

/** An HTTP (or, with TLS_CERT, HTTPS) server that hands every well-formed request to the surface. */
export function createServer({
  config,
  mayHaveLongUrl,
  handler,
  failureOf,
  failure,
  onAnswered,
  onRefused,
}: HttpServerOptions): Server {
  const options = {
    // The request line counts as a header, and a page's HTML may be in it; what else there is gets MAX_HEADER_BYTES.
    maxHeaderSize: config.maxUrlBytes + MAX_HEADER_BYTES,
    requestTimeout: config.requestTimeout,
    headersTimeout: Math.min(config.requestTimeout, 60_000),
    connectionsCheckingInterval: 5000,
    // Most requests have no body, and a stream that nobody reads costs as much as the rest of the request's reading.
    optimizeEmptyRequests: true,
    // Idle connections are for the connection's own timeout (below), which needs no timer for each request.
    keepAliveTimeout: 0,
    // Checked below, where it is answered like everything else.
    requireHostHeader: false,
    noDelay: true,
  };
  const nextId = requestIds();

  const problemOf = (request: IncomingMessage): RequestProblem | undefined => {
    const { url = '/' } = request;
    const mayBeLong = url.length > MAX_PLAIN_URL_BYTES && mayHaveLongUrl(request, splitTarget(url).path);
    return requestProblem(request, mayBeLong ? config.maxUrlBytes : MAX_PLAIN_URL_BYTES);
  };

  const exchangeOf = (request: IncomingMessage, problem: RequestProblem | undefined): RequestContext => {
    const { path, query } = splitTarget(request.url ?? '/');
    // Headers that are too long are not parsed.
    const { ip, isHttps } = clientOf(request, problem?.status === 431 ? undefined : config.trustProxy);
    return {
      request,
      id: requestedId(request) ?? nextId(),
      path,
      query,
      ip,
      isHttps,
      extraHeaders: [],
      route: '',
      caller: undefined,
      person: undefined,
      siteAccountId: undefined,
    };
  };

  const ask = (ctx: RequestContext, problem: RequestProblem | undefined): HttpResponse | Promise<HttpResponse> => {
    if (problem) return failure(problem.status, problem.message);
    try {
      return handler(ctx);
    } catch (error) {
      return failureOf(error, ctx);
    }
  };

  /*
   * What arrives together is answered together, and so shares what it has to look up. Each step is taken for all of them
   * before the next one is: a processor that goes back and forth between our code, Node's and the kernel's has none of
   * it in its nearest caches.
   */
  let arrived: Arrived[] = [];
  /** Requests with long URLs, of which each turn of the event loop answers one: reading 2 MB takes milliseconds. */
  const long: Arrived[] = [];
  let answered: Answered[] = [];

  const heads = trackPendingHeads((socket) => onRefused({ id: nextId(), status: 503, ip: peerOf(socket) }));
  const mayStay = connectionLimit(config);

  const inTurn = serializePipelined((request, response) => {
    // Those of one turn of the event loop were there before it began.
    const at = arrived[0]?.at ?? performance.now();
    if ((request.url?.length ?? 0) > MAX_PLAIN_URL_BYTES) {
      if (long.push({ request, response, at }) === 1) setImmediate(answerLong);
    } else if (arrived.push({ request, response, at }) === 1) setImmediate(answerAll);
  });
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    heads.requested(request);
    inTurn(request, response);
  };
  const answerAll = (): void => {
    const all = arrived;
    arrived = [];
    for (const one of all) answerRequest(one);
  };
  const answerLong = (): void => {
    answerRequest(long.shift()!);
    if (long.length > 0) setImmediate(answerLong);
  };
  const answerRequest = ({ request, response, at }: Arrived): void => {
    const problem = problemOf(request);
    const ctx = exchangeOf(request, problem);
    // Its client has reset the connection, and nobody knows any more where it came from: nothing is done in its name.
    if (ctx.ip === '') {
      request.socket.destroy();
      return;
    }
    const send = (answer: HttpResponse) => {
      if (answered.push({ ctx, response, at, answer }) === 1) process.nextTick(sendAll);
    };
    const answer = ask(ctx, problem);
    if (answer instanceof Promise) void answer.then(send, (error) => send(failureOf(error, ctx)));
    else send(answer);
  };
  const sendAll = (): void => {
    const all = answered;
    answered = [];
    const sent = all.filter((one) => {
      const isDone = answerOne(one) || one.response.closed;
      if (!isDone) one.response.on('close', () => note(one, performance.now()));
      return isDone;
    });
    const now = performance.now();
    for (const one of sent) note(one, now);
  };
  /** Others wait behind it: an answer that cannot be sent must be its own client's trouble alone. */
  const answerOne = ({ ctx, response, answer }: Answered): boolean => {
    // When the service stops, whoever always has another request would keep it from ending.
    if (!server.listening) response.shouldKeepAlive = false;
    try {
      return respond(response, ctx, answer);
    } catch (error) {
      if (response.headersSent) {
        response.destroy();
        return true;
      }
      // That of the other one is kept otherwise.
      response.statusMessage = '';
      return respond(response, ctx, failureOf(error, ctx));
    }
  };
  const note = ({ ctx, response, at }: Answered, now: number) => onAnswered(ctx, response, now - at);

  const ofTls = { minVersion: 'TLSv1.2', handshakeTimeout: Math.min(config.requestTimeout, 10_000) } as const;
  const server = config.tlsCert
    ? createHttpsServer({ ...options, ...ofTls, ...certificate(config) }, listener)
    : createHttpServer(options, listener);
  server.on('connection', (socket: Socket) => {
    if (mayStay(socket)) return;
    onRefused({ id: nextId(), status: 429, ip: peerOf(socket) });
    socket.destroy();
  });
  server.on(config.tlsCert ? 'secureConnection' : 'connection', (socket: Socket) =>
    heads.opened(socket, network(peerOf(socket))),
  );
  server.on('close', heads.close);
  // For clients that neither send nor take anything, between requests or in the midst of one, or while they wait for an answer.
  server.timeout = KEEP_ALIVE_TIMEOUT_MS;
  // Node would ask for every body at once.
  server.on('checkContinue', (request, response) => {
    deferContinue(request, response);
    listener(request, response);
  });
  // Node would answer these in plain text.
  server.on('checkExpectation', listener);
  server.on('connect', (request, socket) => {
    const refusal = { id: requestedId(request) ?? nextId(), status: 405, ip: clientOf(request, config.trustProxy).ip };
    closeWithResponse(
      socket as Socket,
      refusal,
      'Method Not Allowed',
      failure(405, 'Method not allowed.', ['Allow', '']),
    );
    onRefused(refusal);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const problem = parserError(error, socket as Socket);
    if (!problem) return;
    const refusal = { id: nextId(), status: problem.status, ip: peerOf(socket as Socket) };
    closeWithResponse(socket as Socket, refusal, problem.reason, failure(problem.status, problem.message));
    onRefused(refusal);
  });
  return server;
}

/** @throws AppError `invalid` when the files are not a certificate and its key. */
function certificate({ tlsCert, tlsKey }: Config): { cert: Buffer; key: Buffer } {
  try {
    const files = { cert: readFileSync(tlsCert), key: readFileSync(tlsKey) };
    createSecureContext(files);
    return files;
  } catch (error) {
    throw new AppError('invalid', `TLS_CERT and TLS_KEY cannot be used: ${(error as Error).message}.`);
  }
}

/** Longer than proxies commonly keep an idle connection, so that they close it first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
