import type { ClientRequest, ClientRequestArgs, IncomingMessage } from 'node:http';
import { urlToHttpOptions } from 'node:url';
import { connectionFailure, isPrivateHost, PrivateAddress, publicLookup } from '../public-address.ts';
import type { WebhookSettings } from './webhook.ts';

/** The result of one attempt to send a message. */
export interface Attempt {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds. */
  readonly duration: number;
  /** The status of the response; null for none. */
  readonly status: number | null;
  /** Why there was no response; null if there was one. */
  readonly error: string | null;
  /** The beginning of the response's body. */
  readonly response: string;
}

/** Returns true if the receiver accepted the message. */
export function isAccepted({ status }: Pick<Attempt, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Sends a body to an address. Never rejects: a failure is an attempt without a status. */
export type Send = (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<Attempt>;

const TIMEOUT_MS = 15_000;
/** More addresses than one process sends to at a time. */
const MAX_TARGETS = 1000;
/** How much of a response is read. The connection is closed after that. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** How many 1xx responses may precede the response. */
const MAX_INTERIM_ANSWERS = 10;
/** How much of a response's body is kept. */
const MAX_KEPT_CHARACTERS = 1000;

export interface SendSettings extends WebhookSettings {
  readonly dnsServers: readonly string[];
}

/** Returns the function that sends, and keeps connections alive for reuse. `stop` ends all attempts at once. */
export function sender({ dnsServers, webhooksToPrivateNetworks }: SendSettings, stop: AbortSignal): Send {
  const lookup = webhooksToPrivateNetworks ? {} : { lookup: publicLookup(dnsServers) };
  const options = { keepAlive: true, timeout: 30_000, maxFreeSockets: 50, ...lookup };
  // Parsing the address takes a tenth of the processor time of a message.
  const targets = new Map<string, ClientRequestArgs>();
  const clients = new Map<string, ReturnType<typeof clientFor>>();
  stop.addEventListener('abort', () => {
    for (const { agent } of clients.values()) agent.destroy();
  });
  return async (address, headers, body) => {
    const at = Date.now();
    const attempt = (result: Pick<Attempt, 'status' | 'error' | 'response'>): Attempt => ({
      at,
      duration: Date.now() - at,
      ...result,
    });
    try {
      if (targets.size >= MAX_TARGETS) targets.clear();
      const target = targets.getOrInsertComputed(address, () => urlToHttpOptions(new URL(address)));
      if (!webhooksToPrivateNetworks && isPrivateHost(target.hostname!)) throw new PrivateAddress();
      const protocol = target.protocol!;
      const { request: begin, agent } = clients.getOrInsertComputed(protocol, () => clientFor(protocol, options));
      const request = begin({
        ...target,
        agent,
        method: 'POST',
        headers: {
          ...headers,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          'User-Agent': 'webhooks',
        },
      });
      const timer = setTimeout(() => request.destroy(new TimedOut()), TIMEOUT_MS);
      return attempt({ ...(await answerTo(request, body).finally(() => clearTimeout(timer))), error: null });
    } catch (error) {
      return attempt({ status: null, error: words(error as Error), response: '' });
    }
  };
}

/**
 * Loads the HTTP modules only when something is sent: they take several megabytes, and most installations have no webhooks.
 */
function clientFor(protocol: string, options: object) {
  const { Agent, request } =
    protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http');
  return { agent: new Agent(options), request };
}

/** Sends the body. Settles whatever the receiver does. */
function answerTo(request: ClientRequest, body: string): Promise<{ status: number; response: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; response: string }>();
  let isAnswered = false;
  let interimAnswers = 0;
  request.once('error', reject);
  request.once('response', (response) => {
    isAnswered = true;
    const finish = (text: string) => resolve({ status: response.statusCode!, response: text });
    readAnswer(response, finish, reject);
  });
  // After an upgrade, Node emits neither a response nor an error.
  request.once('upgrade', ({ statusCode }, socket) => {
    isAnswered = true;
    socket.destroy();
    resolve({ status: statusCode!, response: '' });
  });
  request.on('information', () => {
    interimAnswers += 1;
    if (interimAnswers > MAX_INTERIM_ANSWERS) request.destroy(new Error('it sent too many interim responses'));
  });
  request.once('close', () => {
    if (!isAnswered) reject(new Error('the connection was closed'));
  });
  request.end(body);
  return promise;
}

/**
 * Reads the response by events: iterating over the stream takes another 8 to 15 % of the processor time of the bare
 * request.
 */
function readAnswer(response: IncomingMessage, finish: (text: string) => void, fail: (error: Error) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const end = () => {
    const text = Buffer.concat(chunks).toString().replaceAll('\0', '').toWellFormed();
    finish(text.slice(0, MAX_KEPT_CHARACTERS).toWellFormed());
  };
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    chunks.push(chunk);
    if (size <= MAX_ANSWER_BYTES) return;
    end();
    response.destroy();
  });
  response.once('end', end);
  response.once('error', fail);
  response.once('close', () => fail(new Error('the connection was closed')));
}

class TimedOut extends Error {
  constructor() {
    super(`There was no answer within ${TIMEOUT_MS / 1000} seconds.`);
  }
}

function words(error: Error): string {
  return error instanceof TimedOut ? error.message : connectionFailure(error).slice(0, MAX_KEPT_CHARACTERS);
}
