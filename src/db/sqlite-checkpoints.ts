import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { WorkerThread } from '../worker-thread.ts';

/** Asks the thread for a checkpoint of the database in `file`. */
export interface Question {
  file: string;
  /** Whether writers wait until it is done, so that the log does not grow in the meantime. */
  keepWritersOut: boolean;
}

/** Limits in pages of 4 KiB. */
const LIMITS = {
  /**
   * How many pages may wait to be copied. Waiting lets pages that every creation touches be copied once instead of many
   * times.
   */
  maxUncopiedPages: 4000,
  /** The log restarts only when all of it has been copied, which never happens while writers keep adding to it. */
  maxLogPages: 16_000,
  /** How much the log grows before the next try, after a reader or another process has kept a checkpoint incomplete. */
  pagesBeforeRetry: 1000,
};

/** While the log is followed, no checkpoint can copy all of it, and to keep writers out for that would be in vain. */
export const FOLLOWED_LIMITS: Partial<typeof LIMITS> = { maxLogPages: 65_536 };

/**
 * Copies SQLite's log into the database file in a thread with its own connection, while others go on writing. SQLite itself
 * would do so within a commit, which would then take as long as all that was written since the last checkpoint.
 *
 * With several processes, each of them makes checkpoints; SQLite allows one at a time, and all see the same log length.
 */
export class Checkpoints {
  readonly #file: string;
  readonly #limits: typeof LIMITS;
  readonly #length: StatementSync;
  #thread: WorkerThread<Question, void> | undefined;
  #running: Promise<void> | undefined;
  /** How long the log was when the last checkpoint began. */
  #lastPages = 0;
  /** Resolves when writers may continue. */
  #pause: Promise<void> | undefined;

  /** `database` is the writer. */
  constructor(file: string, database: DatabaseSync, limits: Partial<typeof LIMITS> = {}) {
    this.#limits = { ...LIMITS, ...limits };
    this.#file = file;
    this.#length = database.prepare('pragma wal_checkpoint(noop)');
  }

  /** Resolves when the next writer may begin; undefined when it need not wait. */
  get pause(): Promise<void> | undefined {
    return this.#pause;
  }

  /** Begins a checkpoint when one is due. The caller calls it after each commit. */
  onCommit(): void {
    if (this.#running) return;
    const { pages, copied } = this.#measure();
    if (pages < this.#lastPages) this.#lastPages = 0;
    const { maxUncopiedPages, maxLogPages, pagesBeforeRetry } = this.#limits;
    const isDue = pages - copied >= maxUncopiedPages || pages >= maxLogPages;
    // The log is as long as it was where a checkpoint could not copy all of it: another one need not try at once.
    if (!isDue || (this.#lastPages > 0 && pages < this.#lastPages + pagesBeforeRetry)) return;
    this.#lastPages = pages;
    this.#running = this.#run()
      // The log stays as it is, and a later commit tries again. A failing disk shows in the commits themselves.
      .catch(() => {})
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Resolves when no checkpoint is being made. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Ends the thread. The caller calls it before it closes the writer. */
  async end(): Promise<void> {
    await this.idle();
    await this.#thread?.end();
  }

  async #run(): Promise<void> {
    await this.#ask({ keepWritersOut: false });
    const { pages } = this.#measure();
    if (pages < this.#limits.maxLogPages) return;
    // Only what writers added during the first checkpoint is left to copy.
    this.#pause = this.#ask({ keepWritersOut: true }).catch(() => {});
    await this.#pause;
    this.#pause = undefined;
  }

  #ask({ keepWritersOut }: Omit<Question, 'file'>): Promise<void> {
    this.#thread ??= new WorkerThread(
      new URL('./checkpoint-thread.js', import.meta.url),
      { name: 'checkpoints' },
      () => {
        this.#thread = undefined;
      },
    );
    return this.#thread.request({ file: this.#file, keepWritersOut });
  }

  /** Reads how many pages are in the log, and how many of them have been copied. It takes 3 µs. */
  #measure(): { pages: number; copied: number } {
    const { log, checkpointed } = this.#length.get() as { log: number; checkpointed: number };
    return { pages: log, copied: checkpointed };
  }
}
