import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { isQuick } from './is-quick.ts';
import { type BodySource, type RenderedBody, renderAsText, renderBody } from './render-body.ts';

/** With two, and one body of an account at a time, nobody's bodies keep everybody else's waiting. */
const MOST_THREADS = 2;

/** In characters. Of bodies that are longer one at a time is rendered, and its thread ends with it: it has a large heap. */
const HUGE = 1024 * 1024;

/** What a thread's heap may grow to, in MB: ten times what the longest body is that consists of images. */
const MOST_MEMORY = 192;

/** A thread holds 30 MB and takes a while to start. It ends when it has had nothing to do for so long, in milliseconds. */
const PATIENCE = 5 * 60_000;

interface Job extends BodySource {
  accountId: number;
  resolve: (rendered: RenderedBody) => void;
  reject: (error: unknown) => void;
}

/**
 * Renders bodies without holding up anything else: those that can take a while, or seconds, in threads of their own, which
 * are started when they are first needed, and end when they no longer are.
 */
export class BodyRenderer {
  readonly #idle: Thread[] = [];
  #threads = 0;
  readonly #waiting: Job[] = [];
  /** Whose bodies are being rendered. */
  readonly #busy = new Set<number>();
  #hugeUnderWay = false;
  readonly #memory: number;

  /** `memory`: what a thread may have, in MB. */
  constructor(memory = MOST_MEMORY) {
    this.#memory = memory;
  }

  /** How many threads there are. */
  get threads(): number {
    return this.#threads;
  }

  /** A body for which a thread's memory is not enough is shown as the text it is. */
  async render(accountId: number, source: BodySource): Promise<RenderedBody> {
    const { body, format } = source;
    if (isQuick(source)) return renderBody(body, format);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ accountId, body, format, resolve, reject });
      this.#assign();
    });
  }

  /** Gives the first job whose account has none under way to a thread that has nothing to do, if there are both. */
  #assign(): void {
    const next = this.#waiting.findIndex(
      ({ accountId, body }) => !this.#busy.has(accountId) && !(this.#hugeUnderWay && body.length > HUGE),
    );
    if (next === -1 || (this.#idle.length === 0 && this.#threads === MOST_THREADS)) return;
    const [job] = this.#waiting.splice(next, 1);
    const thread = this.#idle.pop() ?? this.#start();
    void this.#run(thread, job!);
  }

  async #run(thread: Thread, { accountId, body, format, resolve, reject }: Job): Promise<void> {
    const isHuge = body.length > HUGE;
    this.#busy.add(accountId);
    if (isHuge) this.#hugeUnderWay = true;
    try {
      resolve(await thread.render({ body, format }));
      if (isHuge) await this.#end(thread);
      else this.#idle.push(thread);
    } catch (error) {
      // The thread has ended.
      this.#threads -= 1;
      if (isOutOfMemory(error)) resolve(renderAsText(body));
      else reject(error);
    }
    this.#busy.delete(accountId);
    if (isHuge) this.#hugeUnderWay = false;
    this.#assign();
  }

  async #end(thread: Thread): Promise<void> {
    await thread.end();
    this.#threads -= 1;
  }

  #start(): Thread {
    this.#threads += 1;
    const thread = new Thread(this.#memory, () => {
      this.#idle.splice(this.#idle.indexOf(thread), 1);
      this.#threads -= 1;
    });
    return thread;
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** For everybody in a process: the threads are few. */
export const bodyRenderer = new BodyRenderer();

class Thread {
  readonly #worker: Worker;
  readonly #onIdle: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** `onIdle` is called when it ends since it had nothing to do. */
  constructor(memory: number, onIdle: () => void) {
    const resourceLimits = { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 16 };
    this.#worker = new Worker(new URL('./render-thread.js', import.meta.url), { resourceLimits });
    this.#onIdle = onIdle;
  }

  /** Rejects when the thread has come to its end, and takes no more. */
  async render(source: BodySource): Promise<RenderedBody> {
    clearTimeout(this.#timer);
    this.#worker.ref();
    this.#worker.postMessage(source);
    const [rendered] = await once(this.#worker, 'message');
    // A thread that waits keeps no process from ending.
    this.#worker.unref();
    this.#timer = setTimeout(() => this.#endIdle(), PATIENCE).unref();
    return rendered;
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#worker.terminate();
  }

  #endIdle(): void {
    this.#onIdle();
    void this.end();
  }
}
