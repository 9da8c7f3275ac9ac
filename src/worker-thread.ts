import { type Transferable, Worker, type WorkerOptions } from 'node:worker_threads';

/** A thread holds some MB and takes a while to start. It ends when it has had nothing to do for so long. */
const IDLE_TIMEOUT_MS = 5 * 60_000;

interface Waiting<A> {
  resolve: (answer: A) => void;
  reject: (error: unknown) => void;
}

/**
 * A thread that answers what it is asked, one thing after another, as its script tells `serveWorker`. It keeps no process
 * from ending that waits for nothing of it.
 */
export class WorkerThread<Q, A> {
  readonly #worker: Worker;
  readonly #onEnd: () => void;
  /** Whoever asked and has no answer yet; the thread is at work for the first of them. */
  readonly #waiting: Array<Waiting<A>> = [];
  #hasEnded = false;
  #timer: NodeJS.Timeout | undefined;

  /**
   * `onEnd` is called once, when it takes no more: since it had nothing to do, since it was told to end, or since it came to
   * grief, as for want of memory.
   *
   * A limit of its heap (`resourceLimits.maxOldGenerationSizeMb`) is to be 32 MB larger than it has to be: V8 gives a thread
   * pages that others are done with, and counts them whole (`--max-large-page-pool-size`). If they are more than the limit
   * while the thread starts, V8 stops the process.
   */
  constructor(script: URL, options: WorkerOptions, onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#worker = new Worker(script, options)
      .on('message', (said: { answer: A } | { error: unknown }) => this.#hear(said))
      .on('error', (error) => this.#fail(error))
      // It ends without an error where its script ends the thread.
      .on('exit', () => this.#fail(new Error('The thread has ended.')));
  }

  /** How many wait for it to answer. */
  get waiting(): number {
    return this.#waiting.length;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /**
   * Rejects with what the thread threw for it, or with what the thread came to its end for. What is in `transfer` is handed
   * over instead of copied.
   */
  request(question: Q, transfer: Transferable[] = []): Promise<A> {
    clearTimeout(this.#timer);
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(question, transfer);
    });
  }

  /** To be called when nobody waits for it. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#worker.terminate();
    this.#markEnded();
  }

  #hear(said: { answer: A } | { error: unknown }): void {
    const { resolve, reject } = this.#waiting.shift()!;
    if (this.#waiting.length === 0) {
      this.#worker.unref();
      this.#timer = setTimeout(() => this.#endIdle(), IDLE_TIMEOUT_MS).unref();
    }
    if ('error' in said) reject(said.error);
    else resolve(said.answer);
  }

  #fail(error: unknown): void {
    this.#markEnded();
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  #endIdle(): void {
    // Nobody is to ask it while it ends.
    this.#markEnded();
    void this.end();
  }

  #markEnded(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnd();
  }
}
