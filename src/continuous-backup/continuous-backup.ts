import { randomBytes } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPrivately, makePrivateFolder } from '../db/create-privately.ts';
import type { Db } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { copySqlite } from '../db/sqlite-copy.ts';
import { fileProblemOf } from '../file-problem.ts';
import { checkRoomForCopy } from '../operations/sqlite-snapshot.ts';
import { WorkerThread } from '../worker-thread.ts';
import type { Shipped } from './change-shipper.ts';
import { claimFolder, releaseFolder } from './claim-folder.ts';
import { copyImages } from './copy-images.ts';
import { snapshotFolder } from './own-folders.ts';
import { ProblemLog } from './problem-log.ts';
import { pruneSeries } from './prune-series.ts';
import type { SnapshotJob } from './write-snapshot.ts';

interface ContinuousBackupOptions {
  readonly dataDir: string;
  /** The folder of the backup. It must exist: creating it could write below the mount point of an unmounted disk. */
  readonly backupFolder: string;
  readonly backupDays: number;
  /** True if the images are files in `dataDir`. */
  readonly hasImages: boolean;
  readonly log: Record<'info' | 'warn' | 'error', (text: string) => void>;
}

const INTERVAL_MS = 2000;
/** How often the claim on the folder is renewed: several times within the minute after which another service may claim it. */
const CLAIM_INTERVAL_MS = 15_000;
const SNAPSHOT_INTERVAL_MS = 24 * 60 * 60 * 1000;
const SNAPSHOT_RETRY_MS = 60_000;
/** How long a copy of changes may take before it is logged. */
const SLOW_MS = 60_000;
/** How long stopping the service waits for the last changes, or for a folder that does not answer. */
const STOP_TIMEOUT_MS = 10_000;
const DAY_MS = 24 * 60 * 60 * 1000;

const CHANGES = 'changes';
const SNAPSHOTS = 'the whole database';
const IMAGES = 'images';

type Answer = Shipped | { reason: string; isOver: boolean } | undefined;

interface Series {
  readonly name: string;
  readonly thread: WorkerThread<'ship' | 'close', Answer>;
  isOver: boolean;
}

/**
 * Keeps a copy of SQLite's database in a folder, some seconds behind: snapshots, and the changes since. Problems of the
 * folder are logged, and delay nothing else.
 */
export class ContinuousBackup {
  readonly #options: ContinuousBackupOptions;
  readonly #file: string;
  readonly #copy: string;
  readonly #owner: string;
  #claimedAt: number | undefined;
  #claiming: Promise<void> | undefined;
  /** The error that another service has claimed the folder. */
  #refusal: unknown;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #series: Series | undefined;
  #hasSnapshot = false;
  #nextSnapshot = 0;
  #snapshot: Promise<void> | undefined;
  #snapshotThread: WorkerThread<SnapshotJob, string | undefined> | undefined;
  #coveredUntil = Date.now();
  #db: Db | undefined;
  #lastImage = 0;
  #images: Promise<void> | undefined;
  readonly #problems: ProblemLog;

  constructor(options: ContinuousBackupOptions) {
    this.#options = options;
    this.#problems = new ProblemLog(options);
    const dataDir = resolve(options.dataDir);
    this.#file = join(dataDir, 'freehold.db');
    this.#copy = snapshotFolder(dataDir);
    this.#owner = `${hostname()}:${this.#file}`;
    this.#running = this.#run();
  }

  /** For how long changes may not have been copied, in seconds. */
  get behindSeconds(): number {
    return Math.max(0, Date.now() - this.#coveredUntil) / 1000;
  }

  /** Copies the last changes, and stops. The service must have finished accepted requests before. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.race([this.#end(), sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
  }

  async #end(): Promise<void> {
    await this.#running;
    await this.#snapshotThread?.end();
    await this.#snapshot;
    await this.#images;
    await this.#tick({ isLast: true });
    await this.#db?.destroy();
    const series = this.#series;
    if (series && !series.isOver) await this.#close(series);
    if (this.#claimedAt !== undefined) await releaseFolder(this.#options.backupFolder, this.#owner);
  }

  async #close(series: Series): Promise<void> {
    await series.thread.request('close');
    await series.thread.end();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    await this.#warnOfSameDisk();
    while (!signal.aborted) {
      await this.#tick({ isLast: false });
      this.#images ??= this.#copyImages().finally(() => {
        this.#images = undefined;
      });
      await sleep(INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async #tick({ isLast }: { isLast: boolean }): Promise<void> {
    // A network file system may not answer at all.
    const slow = setTimeout(() => this.#problems.report(CHANGES, 'the folder does not respond'), SLOW_MS).unref();
    try {
      await this.#endRefused();
      if (!this.#series || this.#series.isOver) {
        if (isLast) return;
        await this.#claim();
        this.#series = await this.#begin();
        this.#hasSnapshot = false;
        this.#nextSnapshot = 0;
      }
      this.#renewClaim();
      const { time } = await this.#ship(this.#series);
      if (this.#hasSnapshot) {
        this.#coveredUntil = time;
        this.#problems.report(CHANGES);
      }
      if (isLast || this.#snapshot || Date.now() < this.#nextSnapshot) return;
      this.#snapshot = this.#makeSnapshot(this.#series).finally(() => {
        this.#snapshot = undefined;
      });
    } catch (error) {
      this.#problems.report(CHANGES, fileProblemOf(error));
    } finally {
      clearTimeout(slow);
    }
  }

  /**
   * Renews the claim on the folder regularly, in parallel with copying: a folder that does not answer must not delay the
   * copy.
   */
  #renewClaim(): void {
    if (this.#claiming || (this.#claimedAt !== undefined && performance.now() - this.#claimedAt < CLAIM_INTERVAL_MS))
      return;
    this.#claiming = this.#claim()
      .catch((error: unknown) => {
        this.#refusal = error;
      })
      .finally(() => {
        this.#claiming = undefined;
      });
  }

  async #claim(): Promise<void> {
    await claimFolder(this.#options.backupFolder, this.#owner);
    this.#claimedAt = performance.now();
  }

  /**
   * Ends the series if another service has claimed the folder. An abandoned series would keep SQLite's log from restarting.
   */
  async #endRefused(): Promise<void> {
    if (this.#refusal === undefined) return;
    const [refusal, series] = [this.#refusal, this.#series];
    this.#refusal = undefined;
    this.#claimedAt = undefined;
    this.#series = undefined;
    if (series && !series.isOver) await this.#close(series);
    throw refusal;
  }

  /** Begins a series of changes. Its first snapshot contains the earlier changes. */
  async #begin(): Promise<Series> {
    const { backupFolder } = this.#options;
    await checkFolder(backupFolder);
    const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomBytes(2).toString('hex')}`;
    await mkdir(join(backupFolder, name), { mode: 0o700 });
    const workerData = { databaseFile: this.#file, folder: backupFolder, series: name };
    const script = new URL('./ship-changes-thread.js', import.meta.url);
    const thread = new WorkerThread<'ship' | 'close', Answer>(script, { name: 'backup', workerData }, () => {
      series.isOver = true;
    });
    const series: Series = { name, thread, isOver: false };
    return series;
  }

  async #ship(series: Series): Promise<Shipped> {
    const answer = await series.thread.request('ship');
    if (answer && 'time' in answer) return answer;
    if (answer?.isOver) await series.thread.end();
    throw new Error(answer?.reason ?? 'nothing was copied');
  }

  async #makeSnapshot(series: Series): Promise<void> {
    this.#nextSnapshot = Date.now() + SNAPSHOT_RETRY_MS;
    const { backupFolder, backupDays } = this.#options;
    try {
      const { sequence: after } = await this.#ship(series);
      await this.#copyDatabase();
      const { sequence: upTo, until: time } = await this.#ship(series);
      const header = { series: series.name, after, upTo, time };
      await this.#write({ copy: join(this.#copy, 'freehold.db'), folder: join(backupFolder, series.name), header });
      if (series !== this.#series) return;
      this.#hasSnapshot = true;
      this.#nextSnapshot = Date.now() + SNAPSHOT_INTERVAL_MS;
      this.#problems.report(SNAPSHOTS);
      await pruneSeries(backupFolder, Date.now() - backupDays * DAY_MS);
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#problems.report(SNAPSHOTS, fileProblemOf(error));
    } finally {
      await this.#removeCopy();
    }
  }

  async #copyDatabase(): Promise<void> {
    // Removes a copy that a crash may have left.
    await this.#removeCopy();
    const target = join(this.#copy, 'freehold.db');
    const files = [this.#file, `${this.#file}-wal`];
    const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
    const databaseBytes = sizes.reduce((sum, size) => sum + size);
    await checkRoomForCopy(resolve(this.#options.dataDir), { databaseBytes, targetFolder: undefined });
    makePrivateFolder(this.#copy);
    createPrivately(target);
    await copySqlite(this.#file, target);
  }

  async #write(job: SnapshotJob): Promise<void> {
    if (this.#stopping.signal.aborted) throw new Error('the service is stopping');
    const script = new URL('./write-snapshot-thread.js', import.meta.url);
    const thread = new WorkerThread<SnapshotJob, string | undefined>(script, { name: 'snapshot' }, () => {});
    this.#snapshotThread = thread;
    try {
      const problem = await thread.request(job);
      if (problem !== undefined) throw new Error(problem);
    } finally {
      this.#snapshotThread = undefined;
      await thread.end();
    }
  }

  async #removeCopy(): Promise<void> {
    await rm(this.#copy, { recursive: true, force: true });
  }

  async #copyImages(): Promise<void> {
    const { dataDir, backupFolder, hasImages } = this.#options;
    if (!hasImages) return;
    const folders = { from: join(dataDir, 'media'), to: join(backupFolder, 'media') };
    try {
      await checkFolder(backupFolder);
      this.#db ??= await openDatabase({ dataDir, databaseUrl: '', databasePool: 1 });
      this.#lastImage = await copyImages(this.#db, folders, this.#lastImage, this.#stopping.signal);
      this.#problems.report(IMAGES);
    } catch (error) {
      this.#problems.report(IMAGES, fileProblemOf(error));
    }
  }

  async #warnOfSameDisk(): Promise<void> {
    const { log, backupFolder, dataDir } = this.#options;
    const found = await Promise.all([backupFolder, dataDir].map((folder) => stat(folder).catch(() => undefined)));
    const [backup, data] = found.map((folder) => folder?.dev);
    if (backup !== undefined && backup === data)
      log.warn('BACKUP_FOLDER is on the same disk as DATA_DIR, and would be lost with it');
  }
}

async function checkFolder(folder: string): Promise<void> {
  if ((await stat(folder).catch(() => undefined))?.isDirectory()) return;
  throw new Error(`BACKUP_FOLDER (${folder}) is not a folder. Create it, or mount its disk`);
}
