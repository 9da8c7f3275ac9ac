import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { isQuick } from './is-quick.ts';
import { type BodySource, type RenderedBody, renderBody } from './render-body.ts';

/** With two, and one body of an account at a time, nobody's bodies keep everybody else's waiting. */
const MOST_THREADS = 2;

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
    const next = this.#waiting.findIndex(({ accountId }) => !this.#busy.has(accountId));
    if (next === -1 || (this.#idle.length === 0 && this.#threads === MOST_THREADS)) return;
    const [job] = this.#waiting.splice(next, 1);
    const thread = this.#idle.pop() ?? this.#start();
    void this.#run(thread, job!);
  }

  async #run(thread: Thread, { accountId, body, format, resolve, reject }: Job): Promise<void> {
    this.#busy.add(accountId);
    try {
      resolve(await thread.render({ body, format }));
      this.#idle.push(thread);
    } catch (error) {
      // It has ended, for want of memory most likely.
      this.#threads -= 1;
      reject(error);
    }
    this.#busy.delete(accountId);
    this.#assign();
  }

  #start(): Thread {
    this.#threads += 1;
    const thread = new Thread(() => {
      this.#idle.splice(this.#idle.indexOf(thread), 1);
      this.#threads -= 1;
    });
    return thread;
  }
}

/** For everybody in a process: the threads are few. */
export const bodyRenderer = new BodyRenderer();

class Thread {
  readonly #worker = new Worker(new URL('./render-thread.ts', import.meta.url));
  readonly #onEnd: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** `onEnd` is called when it ends since it had nothing to do. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  /** Rejects when the thread has come to its end, and takes no more. */
  async render(source: BodySource): Promise<RenderedBody> {
    clearTimeout(this.#timer);
    this.#worker.ref();
    this.#worker.postMessage(source);
    const [rendered] = await once(this.#worker, 'message');
    // A thread that waits keeps no process from ending.
    this.#worker.unref();
    this.#timer = setTimeout(() => this.#end(), PATIENCE).unref();
    return rendered;
  }

  #end(): void {
    this.#onEnd();
    void this.#worker.terminate();
  }
}
