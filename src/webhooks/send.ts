import type { IncomingMessage } from 'node:http';
import { isPrivateHost, PrivateAddress, publicLookup } from './public-address.ts';
import type { WebhookSettings } from './webhook.ts';

/** What came of one attempt. */
export interface Attempt {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds. */
  readonly duration: number;
  /** The status of the answer; null for none. */
  readonly status: number | null;
  /** Why there was no answer; null if there was one. */
  readonly error: string | null;
  /** The beginning of the answer. */
  readonly response: string;
}

/** Sends a body to an address. It never throws: what goes wrong is an attempt without a status. */
export type Send = (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<Attempt>;

const TIMEOUT_MS = 15_000;
/** How much of an answer is read. The rest is cut off, with the connection. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** How much of it is kept. */
const MAX_KEPT_CHARACTERS = 1000;

interface SendSettings extends WebhookSettings {
  readonly dnsServers: readonly string[];
}

/** Returns what sends, and keeps connections for the next time; `stop` ends it at once. */
export function sender({ dnsServers, webhooksToPrivateNetworks }: SendSettings, stop: AbortSignal): Send {
  const lookup = webhooksToPrivateNetworks ? {} : { lookup: publicLookup(dnsServers) };
  const options = { keepAlive: true, timeout: 30_000, maxFreeSockets: 50, ...lookup };
  const clients = new Map<string, ReturnType<typeof clientFor>>();
  stop.addEventListener('abort', () => {
    for (const { agent } of clients.values()) agent.destroy();
  });
  return async (address, headers, body) => {
    const at = Date.now();
    const attempt = (result: Pick<Attempt, 'status' | 'error' | 'response'>): Attempt => ({
      ...{ at, duration: Date.now() - at, ...result },
    });
    try {
      const url = new URL(address);
      if (!webhooksToPrivateNetworks && isPrivateHost(url.hostname)) throw new PrivateAddress();
      const { protocol } = url;
      const { request: begin, agent } = clients.getOrInsertComputed(protocol, () => clientFor(protocol, options));
      const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), stop]);
      const request = begin(url, {
        agent,
        method: 'POST',
        signal,
        headers: {
          ...headers,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          'User-Agent': 'webhooks',
        },
      });
      const answer = await new Promise<{ status: number; response: string }>((resolve, reject) => {
        request.once('error', reject);
        request.once('response', (response) => readAnswer(response).then(resolve, reject));
        request.end(body);
      });
      return attempt({ ...answer, error: null });
    } catch (error) {
      return attempt({ status: null, error: words(error as NodeJS.ErrnoException), response: '' });
    }
  };
}

/** Loaded when something is sent: with them the process takes several megabytes more, and most installations have no webhooks. */
function clientFor(protocol: string, options: object) {
  const { Agent, request } =
    protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http');
  return { agent: new Agent(options), request };
}

async function readAnswer(response: IncomingMessage): Promise<{ status: number; response: string }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    chunks.push(chunk);
    if (size > MAX_ANSWER_BYTES) break;
  }
  const text = Buffer.concat(chunks).toString().replaceAll('\0', '').toWellFormed();
  return { status: response.statusCode!, response: text.slice(0, MAX_KEPT_CHARACTERS).toWellFormed() };
}

function words(error: NodeJS.ErrnoException): string {
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return `There was no answer within ${TIMEOUT_MS / 1000} seconds.`;
  if (error instanceof PrivateAddress) return error.message;
  // An `AggregateError` of several addresses has no message of its own.
  const reason = error.message || (error as { code?: string }).code || error.name;
  return `The address cannot be reached: ${reason}`.slice(0, MAX_KEPT_CHARACTERS);
}
