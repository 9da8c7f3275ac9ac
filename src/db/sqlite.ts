import { join } from 'node:path';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import {
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely';
import { counts } from '../counts.ts';
import { AppError } from '../errors.ts';
import { makeFolder } from '../make-folder.ts';
import { registerChangeCounter } from './change-cache.ts';
import { currentSurface } from './connection-turns.ts';
import { createPrivately } from './create-privately.ts';
import type { Db } from './database.ts';
import { type DatabaseFaults, recordDamage, registerFaults } from './faults.ts';
import { readDirectly } from './prepared.ts';
import type { Schema } from './schema.ts';
import { Checkpoints, FOLLOWED_LIMITS } from './sqlite-checkpoints.ts';
import { Connection } from './sqlite-connection.ts';
import { OpenFiles } from './sqlite-files.ts';
import { GroupCommit } from './sqlite-group-commit.ts';
import { Handle } from './sqlite-handle.ts';
import { timed } from './timed.ts';

/**
 * Opens (and creates) `freehold.db` in the folder. One process may open it many times, and many processes at once. If a
 * backup follows the log (see sqlite-log.ts), it decides when the log starts over.
 */
export function openSqlite(dataDir: string, { isFollowed = false, isForLargeRequests = false } = {}): Db {
  makeFolder(dataDir);
  const file = join(dataDir, 'freehold.db');
  // The file contains password hashes and mail. The log gets the same mode.
  createPrivately(file);
  const adapter = new Adapter();
  const driver: SqliteDriver = new SqliteDriver(
    file,
    registerFaults(adapter, () => driver.checkFiles()),
    { isFollowed, cache: isForLargeRequests ? 'small' : 'large' },
  );
  readDirectly(adapter, (sql, parameters) => driver.read(sql, parameters));
  registerChangeCounter(adapter, () => driver.state());
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => adapter,
      createDriver: () => driver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

const times = counts.database.primary;

class Adapter extends SqliteAdapter {
  // Readers have connections of their own, so Kysely need not queue everything behind one.
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

interface DriverOptions {
  readonly isFollowed: boolean;
  /** How much of the file the writer and the reader of single queries cache. */
  readonly cache: 'large' | 'small';
}

/**
 * Kysely's driver over `node:sqlite`, with three kinds of connection:
 * - single queries share one that only reads, so that they never see an uncommitted transaction;
 * - transactions share the one writer, through group commit (see sqlite-group-commit.ts);
 * - a read-only transaction (`setAccessMode('read only')`) has its own connection: a snapshot.
 */
class SqliteDriver implements Driver {
  readonly #file: string;
  readonly #faults: DatabaseFaults;
  readonly #options: DriverOptions;
  #files: OpenFiles | undefined;
  #checkpoints: Checkpoints | undefined;
  #writer: Handle | undefined;
  #reader: Handle | undefined;
  #groupCommit: GroupCommit | undefined;
  #version: StatementSync | undefined;
  readonly #idleSnapshots: Handle[] = [];
  #state: number | undefined;
  readonly #forgetState = () => {
    this.#state = undefined;
  };

  constructor(file: string, faults: DatabaseFaults, options: DriverOptions) {
    this.#file = file;
    this.#faults = faults;
    this.#options = options;
  }

  async init(): Promise<void> {
    this.#open();
  }

  #open(): void {
    if (this.#reader) return;
    const { isFollowed, cache } = this.#options;
    const writer = new Handle(this.#file, 'read write', cache);
    this.#writer = writer;
    this.#reader = new Handle(this.#file, 'read only', cache);
    this.#version = this.#reader.database.prepare('pragma data_version');
    // This statement runs in every turn of the event loop with a request. An object around the number would take a fifth of
    // its time.
    this.#version.setReturnArrays(true);
    this.#version.get();
    this.#files = new OpenFiles(this.#file);
    const checkpoints = new Checkpoints(this.#file, writer.database, isFollowed ? FOLLOWED_LIMITS : {});
    this.#checkpoints = checkpoints;
    this.#groupCommit = new GroupCommit(writer.database, {
      beforeGroup: () => checkpoints.pause,
      afterCommit: () => {
        this.checkFiles();
        this.#refuseLost();
        checkpoints.onCommit();
      },
    });
  }

  /** Records a loss if the files of the database are no longer at their paths. */
  checkFiles(): void {
    if (this.#faults.lost !== undefined) return;
    this.#faults.lost = this.#files?.findLost();
    if (this.#faults.lost !== undefined) this.#faults.onChange();
  }

  #refuseLost(): void {
    const { lost } = this.#faults;
    if (lost !== undefined) throw new AppError('unavailable', `The database cannot be used any more: ${lost}.`);
  }

  read(sql: string, parameters: readonly unknown[]): unknown[] {
    this.#open();
    try {
      const { prepared, times } = this.#reader!.statement(sql);
      const at = performance.now();
      const rows = prepared.all(...(parameters as SQLInputValue[]));
      times[currentSurface()].observe(performance.now() - at);
      return rows;
    } catch (error) {
      recordDamage(this.#faults, error);
      throw error;
    }
  }

  /**
   * Returns SQLite's counter of commits by other connections. The reader makes no commits, so it counts all of them. Calls
   * that follow each other without a break share one value: their requests had arrived before the first of the calls.
   * Reading it for every request would take 18 % of the time of a 304 response.
   */
  state(): number {
    if (this.#state !== undefined) return this.#state;
    this.#open();
    try {
      const [version] = this.#version!.get() as unknown as [number];
      process.nextTick(this.#forgetState);
      this.#state = version;
      return version;
    } catch (error) {
      recordDamage(this.#faults, error);
      throw error;
    }
  }

  async acquireConnection(): Promise<Connection> {
    return new Connection(this.#reader!, this.#faults);
  }

  async beginTransaction(connection: Connection, settings: TransactionSettings): Promise<void> {
    if (settings.accessMode === 'read only') {
      connection.handle = this.#idleSnapshots.pop() ?? new Handle(this.#file, 'read only', 'small');
      connection.isSnapshot = true;
      connection.handle.database.exec('begin');
    } else {
      connection.slot = await this.#recordingDamage(timed(times, 'turn', () => this.#groupCommit!.begin()));
      connection.handle = this.#writer!;
    }
  }

  async commitTransaction(connection: Connection): Promise<void> {
    const { slot } = connection;
    connection.isOver = true;
    if (!slot) return this.#endSnapshot(connection);
    connection.slot = undefined;
    connection.handle = this.#reader!;
    await this.#recordingDamage(timed(times, 'commit', () => slot.commit()));
    this.#state = undefined;
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    const { slot } = connection;
    connection.isOver = true;
    if (!slot) return this.#endSnapshot(connection);
    connection.slot = undefined;
    connection.handle = this.#reader!;
    await this.#recordingDamage(slot.rollback());
  }

  /** Awaits the work, and records the damage that its error reports. */
  async #recordingDamage<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      recordDamage(this.#faults, error);
      throw error;
    }
  }

  #endSnapshot(connection: Connection): void {
    // After a failed commit Kysely rolls back, which ends here without a snapshot: nothing is left to undo.
    if (!connection.isSnapshot) return;
    const { handle } = connection;
    connection.isSnapshot = false;
    connection.handle = this.#reader!;
    try {
      handle.database.exec('commit');
    } catch {
      handle.close();
      return;
    }
    if (this.#idleSnapshots.length < 4) this.#idleSnapshots.push(handle);
    else handle.close();
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#groupCommit?.idle();
    await this.#checkpoints?.end();
    // SQLite removes the log with its last connection, which must not count as a loss.
    this.#files = undefined;
    for (const handle of this.#idleSnapshots.splice(0)) handle.close();
    this.#reader?.close();
    this.#writer?.close();
  }
}
