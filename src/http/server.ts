import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { clientOf, peerOf } from './client.ts';
import type { Answer, Exchange } from './exchange.ts';
import { createServer as createHttpServer } from './node-http.ts';
import { respond } from './respond.ts';
import { splitTarget } from './target.ts';

export interface HttpServerOptions {
  readonly config: Config;
  /** Answers every exchange. */
  readonly surface: (exchange: Exchange) => Answer | Promise<Answer>;
  /** Answers what the surface threw. */
  readonly failureOf: (error: unknown, exchange: Exchange) => Answer;
  /** Answers what could not even be read as a request. */
  readonly failure: (status: number, message: string, headers?: readonly string[]) => Answer;
  /** Told of every answer when it is done with, and how long it took. */
  readonly onAnswered: (exchange: Exchange, response: ServerResponse, milliseconds: number) => void;
  /** Told of every answer to what was no request that could be handed on. */
  readonly onRefused: (refusal: Refusal) => void;
}

/** A request that waits for the end of the turn of the event loop in which it arrived. */
interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly started: number;
}

export interface Refusal {
  readonly id: string;
  readonly status: number;
  readonly ip: string;
}

/** An HTTP (or, with TLS_CERT, HTTPS) server that hands every well-formed request to the surface. */
export function createServer({
  config,
  surface,
  failureOf,
  failure,
  onAnswered,
  onRefused,
}: HttpServerOptions): Server {
  const options = {
    // The request line counts as a header, and a page's HTML may be in it; what else there is gets MOST_HEADERS.
    maxHeaderSize: config.maxUrlBytes + MOST_HEADERS,
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
  const ofHttps = strictTransport(config.publicUrl);

  const answer = ({ request, response, started }: Arrived): void => {
    const { path, query } = splitTarget(request.url ?? '/');
    const { ip, isHttps } = clientOf(request, config.trustProxy);
    const exchange: Exchange = {
      request,
      id: requestedId(request) ?? nextId(),
      path,
      query,
      ip,
      isHttps,
      extraHeaders: isHttps ? [...ofHttps] : [],
      route: '',
      caller: undefined,
      person: undefined,
      siteAccountId: undefined,
    };
    const onSent = () => onAnswered(exchange, response, performance.now() - started);
    const send = (made: Answer) => respond(response, exchange, made, onSent);
    const fail = (error: unknown) => send(failureOf(error, exchange));
    const problem = requestProblem(request, config);
    if (problem) {
      send(failure(problem.status, problem.message));
      return;
    }
    let made: Answer | Promise<Answer>;
    try {
      made = surface(exchange);
    } catch (error) {
      fail(error);
      return;
    }
    if (made instanceof Promise) void made.then(send, fail);
    else send(made);
  };

  // What arrives together is answered together, and so shares what it has to look up.
  let arrived: Arrived[] = [];
  const answerAll = (): void => {
    const all = arrived;
    arrived = [];
    for (const one of all) answer(one);
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    if (arrived.push({ request, response, started: performance.now() }) === 1) setImmediate(answerAll);
  };

  const ofTls = { minVersion: 'TLSv1.2', handshakeTimeout: Math.min(config.requestTimeout, 10_000) } as const;
  const server = config.tlsCert
    ? createHttpsServer({ ...options, ...ofTls, ...certificate(config) }, listener)
    : createHttpServer(options, listener);
  // For clients that neither send nor take anything, between requests or in the midst of one.
  server.timeout = MOST_SILENCE;
  // Node would answer these in plain text, or wait for a body that the client holds back.
  server.on('checkExpectation', (request, response) => listener(request, response));
  server.on('connect', (request, socket) => {
    const refusal = { id: requestedId(request) ?? nextId(), status: 405, ip: clientOf(request, config.trustProxy).ip };
    hangUp(socket as Socket, refusal, 'Method Not Allowed', failure(405, 'Method not allowed.', ['Allow', '']));
    onRefused(refusal);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const problem = parserProblem(error, socket as Socket);
    if (!problem) return;
    const refusal = { id: nextId(), status: problem.status, ip: peerOf(socket as Socket) };
    hangUp(socket as Socket, refusal, problem.reason, failure(problem.status, problem.message));
    onRefused(refusal);
  });
  return server;
}

/**
 * Tells browsers to use nothing but HTTPS with our host from now on. Not where that is this machine: it would count for
 * whatever else somebody develops on it.
 */
function strictTransport(publicUrl: string): readonly string[] {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol !== 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')) return [];
  return ['Strict-Transport-Security', 'max-age=31536000'];
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

/** In milliseconds; longer than proxies commonly keep an idle connection, so that they hang up and not we. */
const MOST_SILENCE = 65_000;

/** In bytes, without the request line. */
const MOST_HEADERS = 64 * 1024;

/** What makes a request ambiguous or too long to be handled. */
function requestProblem(request: IncomingMessage, config: Config): { status: number; message: string } | undefined {
  if (request.url !== undefined && request.url.length > config.maxUrlBytes) {
    return { status: 414, message: `The URL is longer than ${config.maxUrlBytes} bytes.` };
  }
  const { rawHeaders } = request;
  let hosts = 0;
  let size = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    size += name.length + rawHeaders[index + 1]!.length;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  // Where the URL is short: megabytes in Accept-Encoding alone would take half a second to read.
  if (size > MOST_HEADERS) return { status: 431, message: 'The headers are too long.' };
  // Two hosts, and a proxy in front of us may have believed the other one.
  if (hosts > 1 || (hosts === 0 && request.httpVersion !== '1.0')) {
    return { status: 400, message: 'A request must have one Host header.' };
  }
  return undefined;
}

/** What is wrong with bytes that are not HTTP, or that come too slowly; undefined where nobody is left to be told. */
function parserProblem(error: NodeJS.ErrnoException, socket: Socket) {
  // It has its answer already, and everything else that it sends is an error of its own.
  if (socket.writableEnded && !socket.destroyed) return undefined;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        reason: 'Request Header Fields Too Large',
        message: 'The URL or the headers are too long.',
      };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, reason: 'Request Timeout', message: 'The request took too long to arrive.' };
    case 'HPE_INVALID_URL':
      return {
        status: 400,
        reason: 'Bad Request',
        message: 'The URL has characters that must be percent-encoded: an é is %C3%A9.',
      };
    default:
      return { status: 400, reason: 'Bad Request', message: 'The request is not valid HTTP.' };
  }
}

/** How long a client that has been refused may take to send what it is sending, in milliseconds. */
const PATIENCE = 10_000;

/** The last answer on a connection, where there is no request to answer. */
function hangUp(socket: Socket, { id, status }: Refusal, reason: string, { headers, body }: Answer): void {
  const lines = [`HTTP/1.1 ${status} ${reason}`, 'Connection: close', `X-Request-Id: ${id}`];
  for (let index = 0; index < headers.length; index += 2) lines.push(`${headers[index]}: ${headers[index + 1]}`);
  // Node takes its own listener off the socket of a CONNECT: one that breaks off would end the process.
  socket.on('error', () => {});
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1');
  // Hanging up on a client that is still sending can take the answer from it: read on for a while, then let go.
  socket.resume();
  setTimeout(() => socket.destroy(), PATIENCE).unref();
}

/** A caller's own id is kept, so that one request can be followed through several systems. */
function requestedId({ headers }: IncomingMessage): string | undefined {
  const id = headers['x-request-id'];
  return typeof id === 'string' && /^[\w.:-]{1,64}$/.test(id) ? id : undefined;
}

/** Ids that are unique over processes and restarts, and cheap. */
function requestIds(): () => string {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
