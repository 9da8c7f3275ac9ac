import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** The outcome of one request, as its client saw it. */
export interface Answer {
  /** `once` is a creation without an `Idempotency-Key`, which clients must not repeat. */
  readonly kind: 'creation' | 'once' | 'read';
  readonly name: string;
  readonly sentAt: number;
  /** The status of each attempt; 0 where the connection broke. */
  readonly statuses: readonly number[];
  /** When the last attempt was answered. */
  readonly answeredAt: number;
  readonly answer: string;
}

interface LoadOptions {
  readonly url: string;
  readonly key: string;
  /** Requests a second: half of them read, and one in ten creates without an `Idempotency-Key`. */
  readonly rate: number;
}

const RETRIED: ReadonlySet<number> = new Set([0, 429, 500, 502, 503, 504]);
const PAUSE_MS = 1000;
const ANSWER_TIMEOUT_MS = 60_000;

/**
 * Sends requests at a constant rate, however long they take. A creation with an `Idempotency-Key` is repeated until it is
 * answered, as docs/api.md asks of clients; other requests are sent once.
 */
export class HaLoad {
  readonly answers: Answer[] = [];
  readonly #options: LoadOptions;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1000 });
  readonly #running = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  #count = 0;

  constructor(options: LoadOptions) {
    this.#options = options;
    const startedAt = performance.now();
    this.#timer = setInterval(() => {
      while (this.#count < ((performance.now() - startedAt) / 1000) * options.rate) this.#begin();
    }, 5);
  }

  /** The number of acknowledged creations. */
  get acknowledged(): number {
    return this.answers.filter(isAcknowledged).length;
  }

  /** Stops sending, and resolves once every request is answered. */
  async end(): Promise<readonly Answer[]> {
    clearInterval(this.#timer);
    await Promise.all(this.#running);
    this.#agent.destroy();
    return this.answers;
  }

  /** Returns the names of acknowledged creations that are lost, and of those that were made twice or refused as duplicates. */
  async check(): Promise<{ lost: string[]; twice: string[] }> {
    const { status, answer } = await this.#send('GET', '/api/pages.json', {});
    if (status !== 200) throw new Error(`The list of pages is answered with ${status}: ${answer}`);
    const counts = new Map<string, number>();
    for (const { name } of JSON.parse(answer).pages) counts.set(name, (counts.get(name) ?? 0) + 1);
    const creations = this.answers.filter(({ kind }) => kind !== 'read');
    return {
      lost: creations.filter((made) => isAcknowledged(made) && !counts.has(made.name)).map(({ name }) => name),
      twice: [
        ...[...counts].flatMap(([name, count]) => (count > 1 ? [name] : [])),
        // All names differ, so a refusal means that the creation had been done already.
        ...creations.filter((made) => made.statuses.at(-1) === 422).map(({ name }) => name),
      ],
    };
  }

  #begin(): void {
    const number = this.#count++;
    const kind = number % 10 === 9 ? 'once' : number % 2 === 0 ? 'read' : 'creation';
    const running = this.#run(kind, `Page ${number} ${randomUUID()}`);
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
  }

  async #run(kind: Answer['kind'], name: string): Promise<void> {
    const sentAt = performance.now();
    const statuses: number[] = [];
    const headers = kind === 'creation' ? { 'Idempotency-Key': randomUUID() } : {};
    const query = kind === 'read' ? '' : `?${new URLSearchParams({ 'page[name]': name })}`;
    const path = kind === 'read' ? '/api/account.json' : `/api/pages.json${query}`;
    for (;;) {
      const { status, answer, retryAfter } = await this.#send(kind === 'read' ? 'GET' : 'POST', path, headers);
      statuses.push(status);
      if (kind !== 'creation' || !RETRIED.has(status)) {
        this.answers.push({ kind, name, sentAt, statuses, answeredAt: performance.now(), answer });
        return;
      }
      await sleep(retryAfter > 0 ? retryAfter * 1000 : PAUSE_MS);
    }
  }

  #send(method: string, path: string, headers: Record<string, string>) {
    return new Promise<{ status: number; answer: string; retryAfter: number }>((resolve) => {
      const authorized = { ...headers, Authorization: `Bearer ${this.#options.key}` };
      const options = { agent: this.#agent, method, headers: authorized, timeout: ANSWER_TIMEOUT_MS };
      const broken = () => resolve({ status: 0, answer: '', retryAfter: 0 });
      const sent = request(this.#options.url + path, options, (response) => {
        let answer = '';
        response.setEncoding('utf8').on('data', (piece) => {
          answer += piece;
        });
        response.once('error', broken).once('end', () => {
          const retryAfter = Number(response.headers['retry-after'] ?? 0);
          resolve({ status: response.statusCode ?? 0, answer, retryAfter });
        });
      });
      sent.once('timeout', () => sent.destroy(new Error('no answer')));
      sent.once('error', broken).end();
    });
  }
}

export function isAcknowledged({ kind, statuses }: Answer): boolean {
  return kind !== 'read' && statuses.at(-1) === 200;
}
