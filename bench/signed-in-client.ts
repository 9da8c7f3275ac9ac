import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Running } from './processes.ts';
import { median, note, round } from './report.ts';

/** Requests parts of the admin app, one after another on one connection. */
export class SignedInClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;
  readonly #host: string;

  constructor({ url }: Running) {
    this.#url = url;
    this.#host = new URL(url.replace('127.0.0.1', 'localhost')).host;
  }

  /** Requests the paths in turn, and records the median and the 99th percentile of the response times. */
  async measure(work: string, paths: readonly string[], { session, most }: { session: string; most: Times }) {
    const times: number[] = [];
    for (let turn = -WARM_UP; turn < REQUESTS; turn++) {
      const time = await this.#time(paths[(turn + WARM_UP) % paths.length]!, session);
      if (turn >= 0) times.push(time);
    }
    const p99 = times.toSorted((a, b) => a - b)[REQUESTS - 2]!;
    const measured = `${round(median(times), 1)} ms, p99 ${round(p99, 1)} ms`;
    const isMet = median(times) < most.median && p99 < most.p99;
    note(work, measured, `under ${most.median} ms, p99 under ${most.p99} ms`, isMet);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #time(path: string, session: string): Promise<number> {
    const headers = { Host: this.#host, Cookie: `session=${session}` };
    const started = performance.now();
    const sent = request(new URL(path, this.#url), { agent: this.#agent, headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const body = await text(response);
    if (response.statusCode !== 200) throw new Error(`GET ${path}: ${body}`);
    return performance.now() - started;
  }
}

/** Times in milliseconds. */
interface Times {
  readonly median: number;
  readonly p99: number;
}

const WARM_UP = 5;
const REQUESTS = 100;
