import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AccountSemaphore } from '../tenancy/account-semaphore.ts';
import type { FindHolder, Holder } from '../tenancy/holder.ts';
import { WorkerThread } from '../worker-thread.ts';
import { isCheapToRender } from './is-cheap-to-render.ts';
import { type BodySource, type RenderedBody, renderAsText, renderBody } from './render-body.ts';

/** With two threads, and one body of a customer at a time, no customer blocks all others. */
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

interface Options {
  /** The limit of the thread's memory in MB. */
  memory?: number;
  timeLimitMs?: number;
  start?: typeof startThread;
}

/**
 * Renders bodies without blocking anything else: costly ones in threads, which are started when needed and end when
 * idle. Top-level accounts take turns, and the customers of each.
 */
export class BodyRenderer {
  readonly #idle: RenderThread[] = [];
  #threads = 0;
  #atWork = 0;
  /** Wakes the bodies that wait for a thread because the system allows no more of them. */
  #wanting: Array<() => void> = [];
  readonly #turns = new AccountSemaphore(MAX_THREADS, { maxPerCustomer: 1, name: 'long texts' });
  readonly #hugeTurns = new AccountSemaphore(1);
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
   * Renders a body of the account. If a thread's time or memory is not enough, the body is shown as plain text, and not tried again.
   */
  async render(accountId: number, source: BodySource, findHolder: FindHolder): Promise<RenderedBody> {
    const { body, format } = source;
    if (isCheapToRender(source)) return renderBody(body, format);
    const holder = await findHolder();
    if (this.#isKnownAsTooMuch(accountId, source)) return this.#renderInTurn(holder, { body, format, asText: true });
    try {
      return await this.#renderInTurn(holder, { body, format, asText: false });
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      this.#tooMuch.set(keyOf(accountId, source), hash('sha256', body));
      return this.#renderInTurn(holder, { body, format, asText: true });
    }
  }

  #renderInTurn(holder: Holder, request: RenderRequest): Promise<RenderedBody> {
    const work = () => this.#turns.run(() => this.#renderInThread(request), holder);
    return isHuge(request) ? this.#hugeTurns.run(work, holder) : work();
  }

  async #renderInThread(request: RenderRequest): Promise<RenderedBody> {
    const { body, asText } = request;
    const thread = await this.#takeThread();
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
      return await thread.request(request);
    } catch (error) {
      if (!asText && (isLate || isOutOfMemory(error))) throw new TooMuch();
      // Not even room for its text: what is shown of it is at the beginning.
      if (isOutOfMemory(error)) return renderAsText(body.slice(0, LARGE_BODY_CHARACTERS));
      throw error;
    } finally {
      clearTimeout(timer);
      await this.#giveBack(thread, isHuge(request) || isLate);
    }
  }

  /** Takes an idle thread, or starts one. If the system allows no more threads, it waits for one that is running. */
  async #takeThread(): Promise<RenderThread> {
    for (;;) {
      try {
        const thread = this.#idle.pop() ?? this.#start();
        this.#atWork += 1;
        return thread;
      } catch (error) {
        if (this.#atWork === 0) throw error;
        await new Promise<void>((resolve) => this.#wanting.push(resolve));
      }
    }
  }

  async #giveBack(thread: RenderThread, mustEnd: boolean): Promise<void> {
    if (mustEnd) await thread.end();
    else if (!thread.hasEnded) this.#idle.push(thread);
    this.#atWork -= 1;
    const wanting = this.#wanting;
    this.#wanting = [];
    for (const takeAgain of wanting) takeAgain();
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

/** A thread's time or memory was not enough for a body. */
class TooMuch extends Error {}

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
