import type { ErrorLog } from '../error-log.ts';

/** Work that is done after the answer, which need not wait for it or must not show how long it takes. */
export class Background {
  readonly #log: ErrorLog;
  readonly #running = new Set<Promise<void>>();

  constructor(log: ErrorLog) {
    this.#log = log;
  }

  run(what: string, work: () => Promise<unknown>): void {
    // Not before the answer has been handed over: even what runs without waiting would hold it up.
    const running = new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      .then(
        () => {},
        (error: unknown) => this.#log.error({ err: error }, `${what} failed`),
      )
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves once nothing is left to do. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
