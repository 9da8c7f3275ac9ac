/** How often a persisting problem is logged. */
const LOG_INTERVAL_MS = 10 * 60_000;

interface ProblemLogOptions {
  readonly backupFolder: string;
  readonly log: Record<'info' | 'error', (text: string) => void>;
}

/** Logs the beginning and the end of each problem, and every ten minutes that it persists. */
export class ProblemLog {
  readonly #options: ProblemLogOptions;
  /** When each part's problem was last logged. */
  readonly #loggedAt = new Map<string, number>();

  constructor(options: ProblemLogOptions) {
    this.#options = options;
  }

  /** Reports the state of a part of the backup; without `problem`, the part works. */
  report(what: string, problem?: string): void {
    const { log, backupFolder } = this.#options;
    const loggedAt = this.#loggedAt.get(what);
    if (problem !== undefined) {
      if (loggedAt !== undefined && performance.now() - loggedAt < LOG_INTERVAL_MS) return;
      this.#loggedAt.set(what, performance.now());
      log.error(`the continuous backup of ${what} failed; it will be tried again: ${problem}`);
    } else if (this.#loggedAt.delete(what)) {
      log.info(`the continuous backup of ${what} to ${backupFolder} works again`);
    }
  }
}
