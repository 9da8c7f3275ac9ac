import type { ErrorLog } from '../error-log.ts';

/** Runs work after the response, if the client need not wait for it or must not learn how long it takes. */
export class Background {
  readonly #log: ErrorLog;
  readonly #running = new Set<Promise<void>>();

  constructor(log: ErrorLog) {
    this.#log = log;
  }

  run(what: string, work: () => Promise<unknown>): void {
    // Start after the response has been handed over: even the synchronous part of the work would delay it.
    const running = new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      .then(
        () => {},
        (error: unknown) => this.#log.error({ err: error }, `${what} failed`),
      )
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves once all work is done. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
