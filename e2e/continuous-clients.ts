import type { Agent as HttpAgent } from 'node:http';
import { Agent } from '../src/http/node-http.ts';
import type { Lifetime } from '../test/databases.ts';
import { beforeClosing } from '../test/databases.ts';
import { customerPath, pagePath, send } from './load.ts';

const CLIENTS = 12;

type Requests = (client: number, count: number) => { method: 'GET' | 'POST'; path: string };

/** Returns requests of clients of which every third creates pages, and the others read the account. */
export function pagesAndAccount(key: string): Requests {
  return (client, count) =>
    client % 3 === 0
      ? { method: 'POST', path: pagePath(key, `Page ${client}-${count}`) }
      : { method: 'GET', path: `/api/account.json?api_key=${key}` };
}

/** Returns requests that read and create items of all kinds in turn. */
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
 * Clients that send one request after another: half of them on kept connections, half on new ones. They never repeat a
 * request.
 */
export class ContinuousClients {
  /** The responses other than 200, and the errors of requests without a response. */
  readonly failures: string[] = [];
  answered = 0;
  /** How many POST requests have succeeded. */
  created = 0;
  /** How long the slowest response took. */
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

  /** Resolves once each client has received `count` more responses. */
  async answers(count: number): Promise<void> {
    const before = [...this.#answers];
    const isDone = () => this.#answers.every((answers, client) => answers - (before[client] ?? 0) >= count);
    while (!isDone() || this.#answers.length < CLIENTS) await this.#changed.promise;
  }

  /** Stops the clients. Resolves once each has the response to its last request. */
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
