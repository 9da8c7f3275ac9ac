import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AccountSemaphore } from '../tenancy/account-semaphore.ts';
import type { FindHolder, Holder } from '../tenancy/holder.ts';
import { WorkerThread } from '../worker-thread.ts';
import { isCheapToRender } from './is-cheap-to-render.ts';
import { type BodySource, type RenderedBody, renderAsText, renderBody } from './render-body.ts';

/** With two threads, and one body of a customer at a time, no customer can block all others. */
const MAX_THREADS = 2;

/** Bodies longer than this are rendered one at a time, and the thread ends afterwards, since its heap is large. */
const LARGE_BODY_CHARACTERS = 1024 * 1024;

/** The limit of a thread's heap: ten times what the longest body that consists of images needs. */
const MAX_HEAP_MB = 192;

/** The limit for rendering a body: ten times what the worst known body takes. */
const TIME_LIMIT_MS = 15_000;

/** How many bodies that took too long are remembered. */
const MAX_REMEMBERED = 1000;

/** A request to a thread: render a body, or show it as plain text. */
export interface RenderRequest extends BodySource {
  readonly asText: boolean;
}

type RenderThread = WorkerThread<RenderRequest, RenderedBody>;

interface Options {
  /** The limit of the thread's heap in MB. */
  memory?: number;
  timeLimitMs?: number;
  start?: typeof startThread;
}

/**
 * Renders bodies without blocking anything else: costly bodies in threads, which are started when needed and end when
 * idle. Top-level accounts take turns, and so do the customers of each.
 */
export class BodyRenderer {
  readonly #idle: RenderThread[] = [];
  #threads = 0;
  #busy = 0;
  /** Wakes the bodies that wait for a thread because the system allows no more threads. */
  #waiters: Array<() => void> = [];
  readonly #semaphore = new AccountSemaphore(MAX_THREADS, { maxPerCustomer: 1, name: 'long texts' });
  readonly #hugeSemaphore = new AccountSemaphore(1);
  /** The hashes of bodies that took too much time or memory, by account, format and length. */
  readonly #exceeding = new LRUCache<string, string>({ max: MAX_REMEMBERED });
  readonly #memory: number;
  readonly #timeLimitMs: number;
  readonly #startThread: typeof startThread;

  constructor({ memory = MAX_HEAP_MB, timeLimitMs = TIME_LIMIT_MS, start = startThread }: Options = {}) {
    this.#memory = memory;
    this.#timeLimitMs = timeLimitMs;
    this.#startThread = start;
  }

  get threads(): number {
    return this.#threads;
  }

  /**
   * Renders a body of the account. If a thread's time or memory does not suffice, shows the body as plain text from then on.
   */
  async render(accountId: number, source: BodySource, findHolder: FindHolder): Promise<RenderedBody> {
    const { body, format } = source;
    if (isCheapToRender(source)) return renderBody(body, format);
    const holder = await findHolder();
    if (this.#isKnownToExceed(accountId, source)) return this.#renderInTurn(holder, { body, format, asText: true });
    try {
      return await this.#renderInTurn(holder, { body, format, asText: false });
    } catch (error) {
      if (!(error instanceof LimitExceeded)) throw error;
      this.#exceeding.set(keyOf(accountId, source), hash('sha256', body));
      return this.#renderInTurn(holder, { body, format, asText: true });
    }
  }

  #renderInTurn(holder: Holder, request: RenderRequest): Promise<RenderedBody> {
    const work = () => this.#semaphore.run(() => this.#renderInThread(request), holder);
    return isHuge(request) ? this.#hugeSemaphore.run(work, holder) : work();
  }

  async #renderInThread(request: RenderRequest): Promise<RenderedBody> {
    const { body, asText } = request;
    const thread = await this.#takeThread();
    let isLate = false;
    // Showing a body as text takes hardly any time, so the usual limit always suffices.
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
      if (!asText && (isLate || isOutOfMemory(error))) throw new LimitExceeded();
      // Even the text does not fit: only its beginning is shown.
      if (isOutOfMemory(error)) return renderAsText(body.slice(0, LARGE_BODY_CHARACTERS));
      throw error;
    } finally {
      clearTimeout(timer);
      await this.#release(thread, isHuge(request) || isLate);
    }
  }

  /** Takes an idle thread, or starts one. If the system allows no more threads, waits for a running one. */
  async #takeThread(): Promise<RenderThread> {
    for (;;) {
      try {
        const thread = this.#idle.pop() ?? this.#start();
        this.#busy += 1;
        return thread;
      } catch (error) {
        if (this.#busy === 0) throw error;
        await new Promise<void>((resolve) => this.#waiters.push(resolve));
      }
    }
  }

  async #release(thread: RenderThread, mustEnd: boolean): Promise<void> {
    if (mustEnd) await thread.end();
    else if (!thread.hasEnded) this.#idle.push(thread);
    this.#busy -= 1;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }

  #isKnownToExceed(accountId: number, source: BodySource): boolean {
    const known = this.#exceeding.get(keyOf(accountId, source));
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

/** Thrown if a thread's time or memory was not enough for a body. */
class LimitExceeded extends Error {}

/** @throws if the system allows no more threads */
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

/** Returns the key for bodies of this length. Few bodies of an account have equal lengths, so hardly any must be hashed. */
function keyOf(accountId: number, { body, format }: BodySource): string {
  return `${accountId}/${format}/${body.length}`;
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** The renderer for all sites of the process, which share its few threads. */
export const bodyRenderer = new BodyRenderer();
