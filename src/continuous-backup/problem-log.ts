/** How often a problem is logged that stays. */
const LOG_INTERVAL_MS = 10 * 60_000;

interface ProblemLogOptions {
  readonly backupFolder: string;
  readonly log: Record<'info' | 'error', (text: string) => void>;
}

/** Logs the beginning of each problem and its end, and every ten minutes that it is still there. */
export class ProblemLog {
  readonly #options: ProblemLogOptions;
  /** When each problem was logged last, by what it is about. */
  readonly #loggedAt = new Map<string, number>();

  constructor(options: ProblemLogOptions) {
    this.#options = options;
  }

  /** Notes how it stands with a part of the backup; without `problem`, it works. */
  report(what: string, problem?: string): void {
    const { log, backupFolder } = this.#options;
    const loggedAt = this.#loggedAt.get(what);
    if (problem !== undefined) {
      if (loggedAt !== undefined && performance.now() - loggedAt < LOG_INTERVAL_MS) return;
      this.#loggedAt.set(what, performance.now());
      log.error(`the continuous backup of ${what} does not go on; it will be tried again: ${problem}`);
    } else if (this.#loggedAt.delete(what)) {
      log.info(`the continuous backup of ${what} to ${backupFolder} goes on`);
    }
  }
}
