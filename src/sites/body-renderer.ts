import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { WorkerThread } from '../worker-thread.ts';
import { isCheapToRender } from './is-cheap-to-render.ts';
import { type BodySource, type RenderedBody, renderAsText, renderBody } from './render-body.ts';

/** With two threads, and one body of an account at a time, no account blocks all others. */
const MAX_THREADS = 2;

/** One body longer than this is rendered at a time, and its thread ends with it: it has a large heap. */
const LARGE_BODY_CHARACTERS = 1024 * 1024;

/** The limit of a thread's heap: ten times the longest body that consists of images. */
const MAX_HEAP_MB = 192;

/** Ten times as long as the worst body known takes. */
const TIME_LIMIT_MS = 15_000;

/** How many bodies that took too long are remembered. */
const MAX_REMEMBERED = 1000;

/** A request to a thread: render a body, or show it as plain text. */
export interface RenderRequest extends BodySource {
  readonly asText: boolean;
}

type RenderThread = WorkerThread<RenderRequest, RenderedBody>;

interface Job extends RenderRequest {
  accountId: number;
  resolve: (rendered: RenderedBody) => void;
  reject: (error: unknown) => void;
}

interface Options {
  /** The limit of the thread's memory in MB. */
  memory?: number;
  timeLimitMs?: number;
  start?: typeof startThread;
}

/**
 * Renders bodies without blocking anything else: costly ones in threads, which are started when needed and end when
 * idle. Accounts take turns.
 */
export class BodyRenderer {
  readonly #idle: RenderThread[] = [];
  #threads = 0;
  /** Waiting jobs by account; the account whose turn it is comes first. */
  readonly #waiting = new Map<number, Job[]>();
  /** The accounts whose bodies are being rendered. */
  readonly #busy = new Set<number>();
  #hugeUnderWay = false;
  /** Bodies that took too long or too much memory: their hashes by account, format and length. */
  readonly #tooMuch = new LRUCache<string, string>({ max: MAX_REMEMBERED });
  readonly #memory: number;
  readonly #timeLimitMs: number;
  readonly #startThread: typeof startThread;

  constructor({ memory = MAX_HEAP_MB, timeLimitMs = TIME_LIMIT_MS, start = startThread }: Options = {}) {
    this.#memory = memory;
    this.#timeLimitMs = timeLimitMs;
    this.#startThread = start;
  }

  /** The number of threads. */
  get threads(): number {
    return this.#threads;
  }

  /**
   * Renders a body. If a thread's time or memory is not enough, the body is shown as plain text, and not tried again.
   */
  async render(accountId: number, source: BodySource): Promise<RenderedBody> {
    const { body, format } = source;
    if (isCheapToRender(source)) return renderBody(body, format);
    const asText = this.#isKnownAsTooMuch(accountId, source);
    return new Promise((resolve, reject) => {
      this.#enqueue({ accountId, body, format, asText, resolve, reject });
      this.#assign();
    });
  }

  #enqueue(job: Job): void {
    const own = this.#waiting.get(job.accountId);
    if (own) own.push(job);
    else this.#waiting.set(job.accountId, [job]);
  }

  /** Gives the next job whose account has none under way to a thread that has nothing to do, if there are both. */
  #assign(): void {
    const accountId = this.#next();
    if (accountId === undefined || (this.#idle.length === 0 && this.#threads === MAX_THREADS)) return;
    let thread: RenderThread;
    try {
      thread = this.#idle.pop() ?? this.#start();
    } catch (error) {
      // The system may allow no more threads. If one is running, it takes the job later; otherwise nothing would.
      if (this.#busy.size > 0) return;
      this.#dequeue(accountId).reject(error);
      this.#assign();
      return;
    }
    void this.#run(thread, this.#dequeue(accountId));
  }

  #next(): number | undefined {
    for (const [accountId, [job]] of this.#waiting) {
      if (!this.#busy.has(accountId) && !(this.#hugeUnderWay && isHuge(job!))) return accountId;
    }
    return undefined;
  }

  #dequeue(accountId: number): Job {
    const own = this.#waiting.get(accountId)!;
    const job = own.shift()!;
    if (own.length === 0) this.#waiting.delete(accountId);
    return job;
  }

  /** What else the account has waiting stands behind everybody else's. */
  #moveToEnd(accountId: number): void {
    const own = this.#waiting.get(accountId);
    if (!own) return;
    this.#waiting.delete(accountId);
    this.#waiting.set(accountId, own);
  }

  async #run(thread: RenderThread, job: Job): Promise<void> {
    const { accountId, body, format, asText, resolve, reject } = job;
    this.#busy.add(accountId);
    if (isHuge(job)) this.#hugeUnderWay = true;
    let isLate = false;
    // A body as text takes no time to speak of.
    const timer = setTimeout(
      () => {
        isLate = true;
        void thread.end();
      },
      asText ? TIME_LIMIT_MS : this.#timeLimitMs,
    );
    try {
      resolve(await thread.request({ body, format, asText }));
    } catch (error) {
      if (!asText && (isLate || isOutOfMemory(error))) {
        this.#tooMuch.set(keyOf(accountId, job), hash('sha256', body));
        this.#enqueue({ ...job, asText: true });
      } else if (isOutOfMemory(error)) {
        // Not even room for its text: what is shown of it is at the beginning.
        resolve(renderAsText(body.slice(0, LARGE_BODY_CHARACTERS)));
      } else reject(error);
    }
    clearTimeout(timer);
    if (isHuge(job) || isLate) await thread.end();
    else if (!thread.hasEnded) this.#idle.push(thread);
    this.#busy.delete(accountId);
    this.#moveToEnd(accountId);
    if (isHuge(job)) this.#hugeUnderWay = false;
    this.#assign();
  }

  #isKnownAsTooMuch(accountId: number, source: BodySource): boolean {
    const known = this.#tooMuch.get(keyOf(accountId, source));
    return known !== undefined && known === hash('sha256', source.body);
  }

  #start(): RenderThread {
    const thread = this.#startThread(this.#memory, () => {
      this.#threads -= 1;
      const place = this.#idle.indexOf(thread);
      if (place !== -1) this.#idle.splice(place, 1);
    });
    this.#threads += 1;
    return thread;
  }
}

/** @throws where the system allows no more threads. */
export function startThread(memory: number, onEnd: () => void): RenderThread {
  const resourceLimits = { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 16 };
  return new WorkerThread(
    new URL('./render-thread.js', import.meta.url),
    { name: 'render-bodies', resourceLimits },
    onEnd,
  );
}

function isHuge({ body }: BodySource): boolean {
  return body.length > LARGE_BODY_CHARACTERS;
}

/** Most bodies have a length of their own in their account: hardly any has to be hashed. */
function keyOf(accountId: number, { body, format }: BodySource): string {
  return `${accountId}/${format}/${body.length}`;
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** For everybody in a process: the threads are few. */
export const bodyRenderer = new BodyRenderer();
