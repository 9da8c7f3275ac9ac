import { type Transferable, Worker, type WorkerOptions } from 'node:worker_threads';

/** An idle thread ends after this time: it takes some MB, and a while to start. */
const IDLE_TIMEOUT_MS = 5 * 60_000;

/** The reply of a thread to the request with this number. */
type Said<A> = { number: number } & ({ answer: A } | { error: unknown });

interface Waiting<A> {
  resolve: (answer: A) => void;
  reject: (error: unknown) => void;
}

/**
 * A worker thread that answers requests; its script calls `serveWorker` or `serveConcurrently`. It does not keep the process
 * alive unless a request is waiting.
 */
export class WorkerThread<Q, A> {
  readonly #worker: Worker;
  readonly #onEnd: () => void;
  /** Requests without an answer, by their numbers. */
  readonly #waiting = new Map<number, Waiting<A>>();
  #requests = 0;
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
      .on('message', (said: Said<A>) => this.#hear(said))
      .on('error', (error) => this.#fail(error))
      // It ends without an error if its script ends the thread.
      .on('exit', () => this.#fail(new Error('The thread has ended.')));
  }

  /** The number of requests without an answer. */
  get waiting(): number {
    return this.#waiting.size;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Sends a request. Rejects with what the thread threw for it, or with the reason why the thread ended. */
  request(question: Q, transfer: Transferable[] = []): Promise<A> {
    clearTimeout(this.#timer);
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      const number = this.#requests++;
      this.#waiting.set(number, { resolve, reject });
      this.#worker.postMessage({ number, question }, transfer);
    });
  }

  /** Ends the thread. No request may be waiting. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#worker.terminate();
    this.#markEnded();
  }

  #hear(said: Said<A>): void {
    const { resolve, reject } = this.#waiting.get(said.number)!;
    this.#waiting.delete(said.number);
    if (this.#waiting.size === 0) {
      this.#worker.unref();
      this.#timer = setTimeout(() => this.#endIdle(), IDLE_TIMEOUT_MS).unref();
    }
    if ('error' in said) reject(said.error);
    else resolve(said.answer);
  }

  #fail(error: unknown): void {
    this.#markEnded();
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #endIdle(): void {
    // Marked first, so that it gets no request while it ends.
    this.#markEnded();
    void this.end();
  }

  #markEnded(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnd();
  }
}
