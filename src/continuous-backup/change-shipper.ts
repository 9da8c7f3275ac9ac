import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SqliteLog } from '../db/sqlite-log.ts';
import { replaceFile } from '../replace-file.ts';
import { changesName, encodeChanges } from './format.ts';

const LIMITS = {
  /** How many pages are read, compressed and written at a time. */
  maxFilePages: 4096,
  /** SQLite's log is restarted when it is longer, and then truncated to 64 MB. */
  maxLogPages: 16_000,
  /** The most pages that are read while writers wait: 16 MB. */
  maxFramesOfRestart: 4096,
  /** How long the log may grow while the folder cannot be written: 256 MB. */
  maxHeldPages: 65_536,
  /** How long the folder may be unwritable before an overlong log is released. */
  maxHeldMs: 60_000,
};
/** How often a restart of the log is attempted, each time with fewer pages left, before it is postponed. */
const RESTART_ROUNDS = 4;

export interface Shipped {
  /** The sequence number of the last changes in the folder. */
  sequence: number;
  /** Milliseconds since 1970. All earlier commits are in the folder. */
  time: number;
  /** The time of the last changes or later. The machine's clock may have been set back since. */
  until: number;
}

/** Pages in memory that are no longer in the log. */
interface PendingChanges {
  time: number;
  databasePages: number;
  pages: Buffer[];
}

/**
 * Writes committed changes to a series of files. A series begins at the end of the log. Snapshots, which other code makes,
 * contain the earlier changes.
 */
export class ChangeShipper {
  readonly #log: SqliteLog;
  readonly #folder: string;
  readonly #series: string;
  readonly #limits: typeof LIMITS;
  #sequence = 0;
  #sum = '';
  #pending: PendingChanges | undefined;
  /** The names of the files of changes whose last file could not be written. */
  #unfinished: string[] = [];
  #lastTime = 0;
  #lastSuccess = performance.now();

  constructor(databaseFile: string, folder: string, series: string, limits: Partial<typeof LIMITS> = {}) {
    this.#log = new SqliteLog(databaseFile);
    this.#folder = join(folder, series);
    this.#series = series;
    this.#limits = { ...LIMITS, ...limits };
  }

  /**
   * True if the series can go on. It ends if the folder stays unwritable until the log gets too long. Some changes will
   * then be missing in the series, so a new one has to begin.
   */
  get isIntact(): boolean {
    return this.#log.isHeld;
  }

  /**
   * Writes all changes committed before the call. If this fails, the next call writes them, as long as the series is
   * intact.
   */
  async ship(): Promise<Shipped> {
    // Also checks while the folder takes the data or does not answer.
    const watch = setInterval(() => this.#releaseOverlongLog(), 1000);
    try {
      const time = await this.#shipAll();
      this.#lastSuccess = performance.now();
      return { sequence: this.#sequence, time, until: Math.max(this.#lastTime, Date.now()) };
    } finally {
      clearInterval(watch);
      this.#releaseOverlongLog();
    }
  }

  close(): void {
    this.#log.close();
  }

  async #shipAll(): Promise<number> {
    await this.#shipPending();
    let time = await this.#shipLog();
    const { pages, copied } = this.#log.measure();
    if (pages < this.#limits.maxLogPages || copied === pages) return time;
    for (let round = 0; round < RESTART_ROUNDS; round++) {
      // Copies most of the log first, so that little is left to copy while writers wait.
      this.#log.checkpoint();
      time = await this.#shipLog();
      const { maxFramesOfRestart } = this.#limits;
      const isRestarted = this.#log.restart(maxFramesOfRestart, ({ frames, databasePages }) => {
        const pages = [...frames].map(([number, frame]) => this.#page(number, frame));
        this.#pending = { time: this.#now(), databasePages, pages };
      });
      if (isRestarted) break;
    }
    await this.#shipPending();
    return time;
  }

  async #shipLog(): Promise<number> {
    const before = Date.now();
    const { frames, databasePages } = this.#log.changes();
    const entries = [...frames];
    const state = { time: this.#now(), databasePages };
    try {
      await this.#write(entries.length, (index) => this.#page(...entries[index]!), state);
      this.#log.advance();
    } catch (error) {
      this.#log.abandon();
      throw error;
    }
    return before;
  }

  async #shipPending(): Promise<void> {
    if (!this.#pending) return;
    const { pages, ...state } = this.#pending;
    await this.#write(pages.length, (index) => pages[index]!, state);
    this.#pending = undefined;
  }

  /** Writes the pages to one or more files. They are valid only once the last file exists. */
  async #write(
    count: number,
    page: (index: number) => Buffer,
    { time, databasePages }: { time: number; databasePages: number },
  ): Promise<void> {
    // Deletes files that an earlier attempt has left.
    for (const name of this.#unfinished) await rm(join(this.#folder, name), { force: true });
    this.#unfinished = [];
    let [sequence, sum] = [this.#sequence, this.#sum];
    const { maxFilePages } = this.#limits;
    for (let first = 0; first < count; first += maxFilePages) {
      const pages: Buffer[] = [];
      for (let index = first; index < Math.min(first + maxFilePages, count); index++) pages.push(page(index));
      sequence += 1;
      const header = {
        series: this.#series,
        sequence,
        time,
        pageSize: this.#log.pageSize,
        previous: sum,
        databasePages: first + maxFilePages < count ? 0 : databasePages,
      };
      const name = changesName(header);
      const file = encodeChanges(header, pages);
      sum = file.sum;
      this.#unfinished.push(name);
      await replaceFile(join(this.#folder, name), 'backup', (path) =>
        writeFile(path, file.bytes, { flag: 'wx', mode: 0o600, flush: true }),
      );
    }
    this.#unfinished = [];
    this.#sequence = sequence;
    this.#sum = sum;
  }

  #page(number: number, frame: number): Buffer {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(number);
    return Buffer.concat([head, this.#log.readPage(frame)]);
  }

  /** Returns a time for changes that is later than that of all previous ones. */
  #now(): number {
    this.#lastTime = Math.max(this.#lastTime + 1, Date.now());
    return this.#lastTime;
  }

  #releaseOverlongLog(): void {
    if (!this.#log.isHeld || performance.now() - this.#lastSuccess < this.#limits.maxHeldMs) return;
    if (this.#log.measure().pages > this.#limits.maxHeldPages) this.#log.release();
  }
}
