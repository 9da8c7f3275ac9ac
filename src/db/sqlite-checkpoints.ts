import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { WorkerThread } from '../worker-thread.ts';

/** A request to the thread for a checkpoint of the database in `file`. */
export interface Question {
  file: string;
  /** True if writers wait until the checkpoint is done, so that the log does not grow in the meantime. */
  keepWritersOut: boolean;
}

/** Limits in pages of 4 KiB. */
const LIMITS = {
  /** How many pages may wait to be copied. Pages that every change touches are then copied once instead of many times. */
  maxUncopiedPages: 4000,
  /**
   * The length of the log at which writers have to wait. The log starts over only when all of it has been copied, which
   * never happens while writers keep adding to it.
   */
  maxLogPages: 16_000,
  /** How much the log grows before the next attempt after a reader or another process kept a checkpoint incomplete. */
  pagesBeforeRetry: 1000,
};

/** The limits if a backup follows the log: no checkpoint can copy all of it then, so blocking writers would be in vain. */
export const FOLLOWED_LIMITS: Partial<typeof LIMITS> = { maxLogPages: 65_536 };

/**
 * Copies SQLite's log into the database file in a thread with its own connection, while others go on writing. SQLite itself
 * would do so within a commit, which would then take as long as copying everything since the last checkpoint.
 *
 * If there are several processes, each makes checkpoints. SQLite allows one at a time, and all see the same log length.
 */
export class Checkpoints {
  readonly #file: string;
  readonly #limits: typeof LIMITS;
  readonly #length: StatementSync;
  #thread: WorkerThread<Question, void> | undefined;
  #running: Promise<void> | undefined;
  /** The length of the log when the last checkpoint began. */
  #lastPages = 0;
  /** Resolves when writers may continue. */
  #pause: Promise<void> | undefined;

  /** `database` is the connection that writes. */
  constructor(file: string, database: DatabaseSync, limits: Partial<typeof LIMITS> = {}) {
    this.#limits = { ...LIMITS, ...limits };
    this.#file = file;
    this.#length = database.prepare('pragma wal_checkpoint(noop)');
  }

  /** Resolves when the next writer may begin; undefined if it need not wait. */
  get pause(): Promise<void> | undefined {
    return this.#pause;
  }

  /** Begins a checkpoint if one is due. Must be called after each commit. */
  onCommit(): void {
    if (this.#running) return;
    const { pages, copied } = this.#measure();
    if (pages < this.#lastPages) this.#lastPages = 0;
    const { maxUncopiedPages, maxLogPages, pagesBeforeRetry } = this.#limits;
    const isDue = pages - copied >= maxUncopiedPages || pages >= maxLogPages;
    // The last checkpoint could not copy the whole log: wait until it has grown before the next attempt.
    if (!isDue || (this.#lastPages > 0 && pages < this.#lastPages + pagesBeforeRetry)) return;
    this.#lastPages = pages;
    this.#running = this.#run()
      // The log stays as it is, and a later commit tries again. A failing disk shows in the commits themselves.
      .catch(() => {})
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Resolves when no checkpoint is running. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Ends the thread. Must be called before the writer is closed. */
  async end(): Promise<void> {
    await this.idle();
    await this.#thread?.end();
  }

  async #run(): Promise<void> {
    await this.#ask({ keepWritersOut: false });
    const { pages } = this.#measure();
    if (pages < this.#limits.maxLogPages) return;
    // Only the pages that writers added during the first checkpoint are left to copy.
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

  /** Returns how many pages are in the log, and how many of them have been copied. Takes 3 µs. */
  #measure(): { pages: number; copied: number } {
    const { log, checkpointed } = this.#length.get() as { log: number; checkpointed: number };
    return { pages: log, copied: checkpointed };
  }
}
