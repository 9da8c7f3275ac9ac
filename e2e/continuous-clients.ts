import type { Agent as HttpAgent } from 'node:http';
import { Agent } from '../src/http/node-http.ts';
import type { Lifetime } from '../test/databases.ts';
import { beforeClosing } from '../test/databases.ts';
import { pagePath, send } from './load.ts';

interface Target {
  readonly port: number;
  readonly key: string;
}

const CLIENTS = 12;

/**
 * Clients that send one request after another, half of them on connections that they keep, and half of them on new ones. Every third
 * creates pages. They never send a request again.
 */
export class ContinuousClients {
  /** The answers other than 200, and the errors of requests without an answer. */
  readonly failures: string[] = [];
  answered = 0;
  /** How many pages were created. */
  created = 0;
  readonly #target: Target;
  readonly #agents: readonly HttpAgent[] = [
    new Agent({ keepAlive: true, maxSockets: CLIENTS }),
    new Agent({ keepAlive: false }),
  ];
  readonly #running: Promise<unknown>;
  #answers: number[] = [];
  #isStopping = false;
  #changed = Promise.withResolvers<void>();

  constructor(t: Lifetime, target: Target) {
    this.#target = target;
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
    const { port, key } = this.#target;
    const agent = this.#agents[client % 2]!;
    for (let count = 0; !this.#isStopping; count++) {
      const creates = client % 3 === 0;
      const path = creates ? pagePath(key, `Page ${client}-${count}`) : `/api/account.json?api_key=${key}`;
      const outcome = await send(agent, port, creates ? 'POST' : 'GET', path).then(
        ({ status, body }) => (status === 200 ? undefined : `${status} ${body}`),
        (error: NodeJS.ErrnoException) => `client ${client}: ${error.code ?? error.message}`,
      );
      if (outcome !== undefined) this.failures.push(outcome);
      else if (creates) this.created++;
      this.answered++;
      this.#answers[client] = count + 1;
      this.#changed.resolve();
      this.#changed = Promise.withResolvers<void>();
    }
  }
}
