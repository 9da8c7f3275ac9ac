import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { counts, type TimesBySurface } from '../counts.ts';
import { isBusy } from './sqlite-group-commit.ts';
import { mayChange } from './statement-kind.ts';

/** One `node:sqlite` connection and its prepared statements. */
export class Handle {
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, Statement>();

  constructor(file: string, mode: 'read only' | 'read write', cache: keyof typeof CACHE_KIB = 'large') {
    // The first process to open the file, or the first after a crash, locks it for a moment: wait for it.
    this.database = new DatabaseSync(file, { timeout: OPEN_TIMEOUT_MS });
    useLog(this.database);
    // An acknowledged change must survive a power cut. WAL's usual NORMAL would lose the last commits.
    this.database.exec('pragma synchronous = full');
    // On macOS, a sync would otherwise leave the data in the drive's memory, at checkpoints too. Elsewhere it does not.
    this.database.exec('pragma fullfsync = on');
    this.database.exec('pragma foreign_keys = on');
    this.database.exec(`pragma cache_size = -${CACHE_KIB[cache]}`);
    this.database.exec('pragma temp_store = memory');
    // A thread makes checkpoints (sqlite-checkpoints.ts). This limit of 256 MB only matters if the thread cannot keep up.
    this.database.exec('pragma wal_autocheckpoint = 65536');
    // A log that starts over is cut to this size.
    this.database.exec(`pragma journal_size_limit = ${64 * 1024 * 1024}`);
    // The writer never sleeps in a query: group commit waits for the locks of other processes without blocking this one.
    this.database.exec(`pragma busy_timeout = ${mode === 'read only' ? 2000 : 0}`);
    if (mode === 'read only') this.database.exec('pragma query_only = on');
  }

  statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement) return statement;
    const prepared = this.database.prepare(sql);
    const times = counts.database.primary[mayChange(sql) ? 'write' : 'read'];
    statement = { prepared, returnsRows: prepared.columns().length > 0, times };
    // Every result contains the last inserted rowid, and FTS5 inserts rowids above 2^53 into its own tables.
    if (!statement.returnsRows) prepared.setReadBigInts(true);
    // Generated statements (with lists of ids) must not fill the memory, so the oldest statement is dropped.
    if (this.#statements.size >= 300) this.#statements.delete(this.#statements.keys().next().value!);
    this.#statements.set(sql, statement);
    return statement;
  }

  /**
   * Drops a statement that had long texts bound: SQLite keeps its copies until the statement is used again. The garbage
   * collection frees them.
   */
  forget(sql: string): void {
    this.#statements.delete(sql);
  }

  close(): void {
    this.#statements.clear();
    this.database.close();
  }
}

/**
 * How much of the file a connection caches, in KiB. It never frees this memory, and a process has up to some twenty
 * connections: with 16 MB each, they kept a hundred megabytes after large requests. The operating system caches the file
 * too, so large texts are read and written as fast with the small cache.
 */
const CACHE_KIB = { large: 16_000, small: 4000 } as const;

/** How long opening the file waits while other processes open it too. */
const OPEN_TIMEOUT_MS = 10_000;

/**
 * Turns on the write-ahead log: readers go on while a writer writes, and a commit is one append. If several processes open a
 * new file at once, each has a lock that the others need. SQLite then refuses all but one without waiting, so this retries.
 */
function useLog(database: DatabaseSync): void {
  for (const end = performance.now() + OPEN_TIMEOUT_MS; ; ) {
    try {
      database.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

interface Statement {
  prepared: StatementSync;
  returnsRows: boolean;
  /** Records how long the statement takes. */
  times: TimesBySurface;
}
