import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { fileProblemOf } from '../file-problem.ts';
import { type AnswerOptions, requestAnswerer } from './answer-request.ts';
import { batchRequests } from './batch-requests.ts';
import { batchResponses, type ResponseOptions } from './batch-responses.ts';
import { clientOf, network, peerOf } from './client.ts';
import { connectionLimit } from './connection-limit.ts';
import { deferContinue } from './continue.ts';
import { createServer as createHttpServer, setMaxIdleHTTPParsers } from './node-http.ts';
import { trackPendingHeads } from './pending-heads.ts';
import { closeWithResponse, parserError, type RejectedRequest } from './rejected-request.ts';
import { requestId, requestTrace } from './request-id.ts';
import { MAX_HEADER_BYTES } from './request-problem.ts';
import { serializePipelined } from './serialize-pipelined.ts';

export interface HttpServerOptions extends AnswerOptions, ResponseOptions {
  /** Called for every response to something that is not a valid request. */
  readonly onRefused: (refusal: RejectedRequest) => void;
}

/** Creates an HTTP (or, with TLS_CERT, HTTPS) server that hands every well-formed request to the handler. */
export function createServer(options: HttpServerOptions): Server {
  const { config, onRefused } = options;
  setMaxIdleHTTPParsers(MAX_IDLE_PARSERS);
  const send = batchResponses(options);
  const inTurn = serializePipelined(batchRequests(requestAnswerer(options, send)));
  const heads = trackPendingHeads((socket) => onRefused({ id: randomUUID(), status: 503, ip: peerOf(socket) }));
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    heads.requested(request);
    inTurn(request, response);
  };
  const server = serverFor(config, listener);
  limitConnections(server, options);
  server.on(config.tlsCert ? 'secureConnection' : 'connection', (socket: Socket) =>
    heads.opened(socket, network(peerOf(socket))),
  );
  server.on('close', heads.close);
  // For clients that neither send nor receive anything between requests, within one, or while they wait for an answer.
  server.timeout = SOCKET_TIMEOUT_MS;
  // Node would send `100 Continue` for every body at once.
  server.on('checkContinue', (request, response) => {
    deferContinue(request, response);
    listener(request, response);
  });
  // Node would answer unknown expectations in plain text.
  server.on('checkExpectation', listener);
  rejectConnects(server, options);
  rejectUnreadable(server, options);
  return server;
}

function serverFor(config: Config, listener: RequestListener): Server {
  const options: ServerOptions = {
    // Node counts the request line as a header, and it may contain a page's HTML. All other headers get MAX_HEADER_BYTES.
    maxHeaderSize: config.maxUrlBytes + MAX_HEADER_BYTES,
    requestTimeout: config.requestTimeoutMs,
    headersTimeout: Math.min(config.requestTimeoutMs, 60_000),
    connectionsCheckingInterval: 5000,
    // Most requests have no body, and an unread body stream costs as much as reading the rest of the request.
    optimizeEmptyRequests: true,
    // The socket's own timeout (SOCKET_TIMEOUT_MS) ends idle connections, without a timer for each request.
    keepAliveTimeout: 0,
    // `requestProblem` checks the header, so that the error looks like all others.
    requireHostHeader: false,
    noDelay: true,
  };
  if (!config.tlsCert) return createHttpServer(options, listener);
  const handshakeTimeout = Math.min(config.requestTimeoutMs, 10_000);
  return createHttpsServer({ ...options, handshakeTimeout, ...secureContext(config) }, listener);
}

/**
 * Reads the certificate and its key again, for future connections.
 * @throws AppError `invalid` if the files are not a certificate and its key; the server then keeps the old ones
 */
export function reloadCertificate(server: Server, config: Config): void {
  if (config.tlsCert) (server as HttpsServer).setSecureContext(secureContext(config));
}

/** @throws AppError `invalid` if the files are not a certificate and its key */
function secureContext({ tlsCert, tlsKey }: Config) {
  try {
    const context = { cert: readFileSync(tlsCert), key: readFileSync(tlsKey), minVersion: 'TLSv1.2' } as const;
    createSecureContext(context);
    return context;
  } catch (error) {
    throw new AppError('invalid', `TLS_CERT and TLS_KEY cannot be used: ${fileProblemOf(error)}.`);
  }
}

function limitConnections(server: Server, { config, onRefused }: HttpServerOptions): void {
  const mayStay = connectionLimit(config);
  server.on('connection', (socket: Socket) => {
    if (mayStay(socket)) return;
    onRefused({ id: randomUUID(), status: 429, ip: peerOf(socket) });
    socket.destroy();
  });
}

function rejectConnects(server: Server, { config, failure, onRefused }: HttpServerOptions): void {
  server.on('connect', (request, socket) => {
    const id = requestId(request, requestTrace(request));
    const refusal = { id, status: 405, ip: clientOf(request, config.trustProxy).ip };
    const answer = failure(405, 'Method not allowed.', ['Allow', '']);
    closeWithResponse(socket as Socket, refusal, 'Method Not Allowed', answer);
    onRefused(refusal);
  });
}

function rejectUnreadable(server: Server, { failure, onRefused }: HttpServerOptions): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const problem = parserError(error, socket as Socket);
    if (!problem) return;
    const refusal = { id: randomUUID(), status: problem.status, ip: peerOf(socket as Socket) };
    closeWithResponse(socket as Socket, refusal, problem.reason, failure(problem.status, problem.message));
    onRefused(refusal);
  });
}

/** The most parsers that Node keeps for reuse. An idle one keeps the unfinished head of its last connection: up to 1 MB. */
const MAX_IDLE_PARSERS = 16;

/** Longer than proxies commonly keep an idle connection, so that the proxy closes it first. */
const SOCKET_TIMEOUT_MS = 65_000;
