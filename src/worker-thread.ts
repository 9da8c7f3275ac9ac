import { type Transferable, Worker, type WorkerOptions } from 'node:worker_threads';

/** An idle thread ends after this time. It takes some MB of memory, but is slow to start. */
const IDLE_TIMEOUT_MS = 5 * 60_000;

/** The reply of a thread to the request with this number. */
type Reply<A> = { number: number } & ({ answer: A } | { error: unknown });

interface Waiting<A> {
  resolve: (answer: A) => void;
  reject: (error: unknown) => void;
}

/**
 * A worker thread that answers requests. Its script calls `serveWorker` or `serveConcurrently`. It does not keep the
 * process alive unless a request is waiting.
 */
export class WorkerThread<Q, A> {
  readonly #worker: Worker;
  readonly #onEnd: () => void;
  /** Requests without an answer, by number. */
  readonly #waiting = new Map<number, Waiting<A>>();
  #requests = 0;
  #hasEnded = false;
  #timer: NodeJS.Timeout | undefined;

  /**
   * Starts the thread. `onEnd` is called once, when the thread takes no more requests: because it was idle, was ended, or
   * failed, for example for lack of memory.
   * A heap limit (`resourceLimits.maxOldGenerationSizeMb`) must be 32 MB larger than needed. V8 gives a new thread pages
   * that other threads have released, and counts them whole (`--max-large-page-pool-size`). If they exceed the limit while
   * the thread starts, V8 aborts the process.
   */
  constructor(script: URL, options: WorkerOptions, onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#worker = new Worker(script, options)
      .on('message', (reply: Reply<A>) => this.#receive(reply))
      .on('error', (error) => this.#fail(error))
      // The thread ends without an error if its script ends it.
      .on('exit', () => this.#fail(new Error('The thread has ended.')));
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Sends a request. Rejects with the error that the thread threw for it, or with the reason why the thread ended. */
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

  #receive(reply: Reply<A>): void {
    const { resolve, reject } = this.#waiting.get(reply.number)!;
    this.#waiting.delete(reply.number);
    if (this.#waiting.size === 0) {
      this.#worker.unref();
      this.#timer = setTimeout(() => this.#endIdle(), IDLE_TIMEOUT_MS).unref();
    }
    if ('error' in reply) reject(reply.error);
    else resolve(reply.answer);
  }

  #fail(error: unknown): void {
    this.#markEnded();
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #endIdle(): void {
    // Marked as ended first, so that it gets no further requests.
    this.#markEnded();
    void this.end();
  }

  #markEnded(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnd();
  }
}
