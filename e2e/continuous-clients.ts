import type { Agent as HttpAgent } from 'node:http';
import { Agent } from '../src/http/node-http.ts';
import type { Lifetime } from '../test/databases.ts';
import { beforeClosing } from '../test/databases.ts';
import { customerPath, pagePath, send } from './load.ts';

const CLIENTS = 12;

type Requests = (client: number, count: number) => { method: 'GET' | 'POST'; path: string };

/** Every third client creates pages; the others read the account. */
export function pagesAndAccount(key: string): Requests {
  return (client, count) =>
    client % 3 === 0
      ? { method: 'POST', path: pagePath(key, `Page ${client}-${count}`) }
      : { method: 'GET', path: `/api/account.json?api_key=${key}` };
}

/** Reads and creations of all kinds, one after another. */
export function allKinds(key: string): Requests {
  const lists = ['account', 'pages', 'customers', 'plans', 'revenue', 'images', 'domains', 'users', 'settings', 'keys'];
  return (client, count) => {
    const kind = (client + count) % (lists.length + 2);
    if (kind < lists.length) return { method: 'GET', path: `/api/${lists[kind]}.json?api_key=${key}` };
    const name = `${client}-${count}`;
    return {
      method: 'POST',
      path: kind === lists.length ? pagePath(key, `Page ${name}`) : customerPath(key, `customer-${name}`),
    };
  };
}

/**
 * Clients that send one request after another, half of them on connections that they keep, and half of them on new ones. They never
 * send a request again.
 */
export class ContinuousClients {
  /** The answers other than 200, and the errors of requests without an answer. */
  readonly failures: string[] = [];
  answered = 0;
  /** How many requests with POST have succeeded. */
  created = 0;
  /** How long the slowest answer took. */
  longestMs = 0;
  readonly #port: number;
  readonly #requests: Requests;
  readonly #agents: readonly HttpAgent[] = [
    new Agent({ keepAlive: true, maxSockets: CLIENTS }),
    new Agent({ keepAlive: false }),
  ];
  readonly #running: Promise<unknown>;
  #answers: number[] = [];
  #isStopping = false;
  #changed = Promise.withResolvers<void>();

  constructor(t: Lifetime, port: number, requests: Requests) {
    this.#port = port;
    this.#requests = requests;
    this.#running = Promise.all(Array.from({ length: CLIENTS }, (_, client) => this.#run(client)));
    beforeClosing(t, () => this.stop());
  }

  /** Resolves once each client has had so many more answers. */
  async answers(count: number): Promise<void> {
    const before = [...this.#answers];
    const isDone = () => this.#answers.every((answers, client) => answers - (before[client] ?? 0) >= count);
    while (!isDone() || this.#answers.length < CLIENTS) await this.#changed.promise;
  }

  /** Resolves once each client has had the answer to its last request. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#running;
    for (const agent of this.#agents) agent.destroy();
  }

  async #run(client: number): Promise<void> {
    const agent = this.#agents[client % 2]!;
    for (let count = 0; !this.#isStopping; count++) {
      const { method, path } = this.#requests(client, count);
      const sentAt = performance.now();
      const outcome = await send(agent, this.#port, method, path).then(
        ({ status, body }) => (status === 200 ? undefined : `${method} ${path}: ${status} ${body}`),
        (error: NodeJS.ErrnoException) => `${method} ${path}: ${error.code ?? error.message}`,
      );
      if (outcome !== undefined) this.failures.push(outcome);
      else if (method === 'POST') this.created++;
      this.answered++;
      this.longestMs = Math.max(this.longestMs, performance.now() - sentAt);
      this.#answers[client] = count + 1;
      this.#changed.resolve();
      this.#changed = Promise.withResolvers<void>();
    }
  }
}
