import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Thread } from '../thread.ts';

/** A checkpoint of the database in `file`, to be made by the thread. */
export interface Question {
  file: string;
  /** Writers wait until it is done, so that nothing is added meanwhile. */
  keepWritersOut: boolean;
}

/** In pages of 4 KiB. */
const LIMITS = {
  /** What is not copied yet. Pages that every creation touches are thus copied once instead of many times. */
  maxUncopiedPages: 4000,
  /** A log begins anew only when all of it has been copied, which may never be while somebody keeps adding to it. */
  maxLogPages: 16_000,
  /** What is added before another checkpoint is made when a reader, or another process, has hindered the last one. */
  pagesBeforeRetry: 1000,
};

/**
 * Copies SQLite's log into the database file while others go on: SQLite itself would do so within a commit, which then
 * takes as long as everything that others have written since the last time.
 *
 * A thread does it, with a connection of its own. Of several processes each makes sure that it is done; SQLite lets one of
 * them at a time, and the log's length is the same for all.
 */
export class Checkpoints {
  readonly #file: string;
  readonly #limits: typeof LIMITS;
  readonly #length: StatementSync;
  #thread: Thread<Question, void> | undefined;
  #running: Promise<void> | undefined;
  /** How long the log was when the last checkpoint began. */
  #lastPages = 0;
  /** Resolves when writers may go on. */
  #pause: Promise<void> | undefined;

  /** `database` is the writer. */
  constructor(file: string, database: DatabaseSync, limits: Partial<typeof LIMITS> = {}) {
    this.#limits = { ...LIMITS, ...limits };
    this.#file = file;
    this.#length = database.prepare('pragma wal_checkpoint(noop)');
  }

  /** What the next writer has to wait for. */
  get pause(): Promise<void> | undefined {
    return this.#pause;
  }

  /** To be called after each commit. */
  noteCommit(): void {
    if (this.#running) return;
    const { pages, copied } = this.#measure();
    if (pages < this.#lastPages) this.#lastPages = 0;
    const { maxUncopiedPages, maxLogPages, pagesBeforeRetry } = this.#limits;
    const isDue = pages - copied >= maxUncopiedPages || pages >= maxLogPages;
    // The log is as long as it was where a checkpoint could not copy all of it: another one need not try at once.
    if (!isDue || (this.#lastPages > 0 && pages < this.#lastPages + pagesBeforeRetry)) return;
    this.#lastPages = pages;
    this.#running = this.#run()
      // The log stays as it is; the next commits ask for another one. What is wrong with the disk, they say themselves.
      .catch(() => {})
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Resolves when no checkpoint is being made. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** To be called before the writer is closed. */
  async end(): Promise<void> {
    await this.idle();
    await this.#thread?.end();
  }

  async #run(): Promise<void> {
    await this.#ask({ keepWritersOut: false });
    const { pages } = this.#measure();
    if (pages < this.#limits.maxLogPages) return;
    // Only what has been added during the first one is left to be copied.
    this.#pause = this.#ask({ keepWritersOut: true }).catch(() => {});
    await this.#pause;
    this.#pause = undefined;
  }

  #ask({ keepWritersOut }: Omit<Question, 'file'>): Promise<void> {
    this.#thread ??= new Thread(new URL('./checkpoint-thread.js', import.meta.url), { name: 'checkpoints' }, () => {
      this.#thread = undefined;
    });
    return this.#thread.ask({ file: this.#file, keepWritersOut });
  }

  /** How many pages are in the log, and how many of them have been copied: 3 µs. */
  #measure(): { pages: number; copied: number } {
    const { log, checkpointed } = this.#length.get() as { log: number; checkpointed: number };
    return { pages: log, copied: checkpointed };
  }
}
